// Rules of an organization, as plain functions: resource in, sentences out. They know nothing of Pulumi.

/** A registered resource, as a rule sees it. */
export interface Registered {
  type: string;
  name: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the inputs of any resource
  props: any;
}

export type Rule = (resource: Registered) => string[];

const isCache = ({ type }: Registered) => type === "kubernetes:cache.example.com/v1:Memcached";
const isOperator = ({ type }: Registered) => type === "memcached:index:MemcachedOperator";

/** Somebody answers for each cache. */
export const cachesHaveAnOwner: Rule = (resource) =>
  isCache(resource) && !resource.props.metadata?.labels?.team
    ? [`${resource.name} has no label "team": say whose cache it is`]
    : [];

/** A cache of one server is gone with its node. */
export const cachesSurviveANode: Rule = (resource) =>
  isCache(resource) && resource.props.spec?.size === 1
    ? [`${resource.name} has one server: give it a size of 2 or more, or leave the size to an autoscaler`]
    : [];

/** What runs is what was reviewed. */
export const operatorImagesAreOurs: Rule = ({ type, name, props }) =>
  isOperator({ type, name, props }) &&
  typeof props.image === "string" &&
  !props.image.startsWith("registry.example.com/")
    ? [`${name} runs ${props.image}: take an image of registry.example.com`]
    : [];

export const rules: Rule[] = [cachesHaveAnOwner, cachesSurviveANode, operatorImagesAreOurs];

export const violations = (resource: Registered): string[] => rules.flatMap((rule) => rule(resource));
