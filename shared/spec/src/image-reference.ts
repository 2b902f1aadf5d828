/** The parts of a container image's name: `registry.k8s.io/pause:3.10.1`. */
export interface ImageReference {
  /** The registry and the path within it. */
  readonly repository: string;
  readonly tag?: string;
  /** e.g. `sha256:…` */
  readonly digest?: string;
}

/** Where images without a registry in their name are. */
export const DOCKER_HUB = 'docker.io';

/** Kubernetes renamed its registry in 1.25. Both names have the same images. */
const [FORMER_REGISTRY, REGISTRY] = ['k8s.gcr.io/', 'registry.k8s.io/'];

export function parseImage(reference: string): ImageReference {
  const [name = '', digest] = reference.split('@');
  // A colon before the last slash belongs to the port of a registry.
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  return {
    repository: colon < 0 ? name : name.slice(0, colon),
    ...(colon < 0 ? {} : { tag: name.slice(colon + 1) }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Whether the first part of a name is a registry instead of a folder of Docker Hub. */
export const namesRegistry = (repository: string): boolean => {
  const [first = '', ...rest] = repository.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
};

/** Docker's short names in full, as containerd keeps them (reference.ParseDockerRef): busybox:1.35 is docker.io/library/busybox:1.35. */
export function fullImageName(image: string): string {
  if (namesRegistry(image)) return image;
  return image.includes('/') ? `${DOCKER_HUB}/${image}` : `${DOCKER_HUB}/library/${image}`;
}

/** ctr, unlike Kubernetes, takes neither short names nor an image without a tag: busybox is docker.io/library/busybox:latest. */
export function imageNameForCtr(image: string): string {
  const { tag, digest } = parseImage(image);
  return `${fullImageName(image)}${tag === undefined && digest === undefined ? ':latest' : ''}`;
}

/** The host of a registry's API: Docker Hub's images are named by another domain than the one that serves them. */
export const registryApiHost = (registry: string): string =>
  registry === DOCKER_HUB ? 'registry-1.docker.io' : registry;

/** The canonical name of a repository, so that different names of the same images can be compared. */
export function canonicalRepository(repository: string): string {
  const full = fullImageName(repository);
  return full.startsWith(FORMER_REGISTRY) ? `${REGISTRY}${full.slice(FORMER_REGISTRY.length)}` : full;
}

/** Whether two names are those of the same image: `busybox:1.37.0` is `docker.io/library/busybox:1.37.0`. */
export function isSameImage(left: string, right: string): boolean {
  const [a, b] = [parseImage(left), parseImage(right)];
  const sameRepository = canonicalRepository(a.repository) === canonicalRepository(b.repository);
  return sameRepository && a.tag === b.tag && a.digest === b.digest;
}
