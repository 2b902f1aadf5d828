import { canonicalRepository, parseImage, registryApiHost } from '@kopsctl/spec/image-reference.ts';

/** An image at the API of its registry (OCI distribution specification 1.1). */
export interface ImageAddress {
  /** The registry, as credentials and names have it: `docker.io`. */
  readonly registry: string;
  /** The address of its API, without a slash at the end: `https://registry-1.docker.io`. */
  readonly base: string;
  /** The name within the registry: `library/busybox`. */
  readonly name: string;
  /** The digest where the image is named by one, else its tag. */
  readonly reference: string;
}

/** As in Docker: a registry on this computer need not have a certificate. */
const NEAR = /^(?:localhost|127\.\d+\.\d+\.\d+)(?::\d+)?$/;

/** Pure. */
export function imageAddress(image: string): ImageAddress {
  const { repository, tag, digest } = parseImage(image);
  const [registry = '', ...path] = canonicalRepository(repository).split('/');
  const host = registryApiHost(registry);
  return {
    registry,
    base: `${NEAR.test(host) ? 'http' : 'https'}://${host}`,
    name: path.join('/'),
    reference: digest ?? tag ?? 'latest',
  };
}
