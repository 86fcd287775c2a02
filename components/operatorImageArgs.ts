import type { Input } from "@pulumi/pulumi";

/** A node's containerd, for clusters that pull from no registry. */
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

/** From what, and to where, the operator's image is built. */
export interface OperatorImageArgs {
  /**
   * The folder that holds the Dockerfile and the bundled main.js. Its content is the image's tag.
   * Defaults to the one that comes with this package; in its repository, what `npm run build` makes.
   * @example "./operator-image"
   */
  contextDir?: string;
  /**
   * The image's name without a tag, with its registry when it is pushed.
   * Defaults to "localhost/memcached-operator".
   * @example "registry.example.com/platform/memcached-operator"
   */
  name?: string;
  /**
   * The engine: "buildah", "docker", "podman" or "nerdctl".
   * Defaults to the first of them that is on PATH.
   * @example "docker"
   */
  engine?: string;
  /**
   * The image to build on, of Node 22.21 or later.
   * Defaults to the Dockerfile's own.
   * @example "registry.example.com/node:22"
   */
  base?: string;
  /**
   * Whether to push the image to the registry of its name.
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
