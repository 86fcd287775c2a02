// The operator in a stack of its own. In your project, import from "pulumi-memcached-operator".
import { Config } from "@pulumi/pulumi";
import { MemcachedOperator } from "../../../components";

const config = new Config();

const operator = new MemcachedOperator("memcached-operator", {
  image: config.require("operatorImage"),
  operandImage: config.get("memcachedImage"),
});

/** The namespace is there once the operator runs: stacks that read it come after it. */
export const namespace = operator.namespace;
export const image = operator.image;
