import type { Input } from "@pulumi/pulumi";

/** A node's containerd, for clusters without a registry. */
export interface LoadIntoArgs {
  /**
   * Path of containerd's socket.
   * @example "/run/containerd/containerd.sock"
   */
  containerdAddress: Input<string>;
  /**
   * The containerd namespace that the kubelet uses.
   * Defaults to "k8s.io".
   * @example "k8s.io"
   */
  namespace?: Input<string>;
}

/** How the operator's image is built, pushed and loaded. */
export interface OperatorImageArgs {
  /**
   * Folder with the Dockerfile and the bundled main.js. The hash of its content is the image's tag.
   * Defaults to the folder in this package; in its repository, to the output of `npm run build`.
   * @example "./operator-image"
   */
  contextDir?: string;
  /**
   * The image's name without a tag. To push it, include the registry.
   * Defaults to "localhost/memcached-operator".
   * @example "registry.example.com/platform/memcached-operator"
   */
  name?: string;
  /**
   * The engine: "buildah", "docker", "podman" or "nerdctl".
   * Defaults to the first of them on PATH.
   * @example "docker"
   */
  engine?: string;
  /**
   * The base image, with Node 22.21 or later.
   * Defaults to that of the Dockerfile.
   * @example "registry.example.com/node:22"
   */
  base?: string;
  /**
   * Whether to push the image to the registry in its name.
   * Defaults to false.
   * @example true
   */
  push?: boolean;
  /**
   * The containerd to load the image into.
   * @example { containerdAddress: "/run/containerd/containerd.sock" }
   */
  loadInto?: LoadIntoArgs;
}
