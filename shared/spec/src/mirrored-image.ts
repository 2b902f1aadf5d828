import type { Assets } from './schema/assets.ts';
import { namesRegistry } from './image-reference.ts';

/** Registries whose images are in a mirror without the name of the registry. */
const KUBERNETES_REGISTRIES = ['registry.k8s.io/', 'k8s.gcr.io/'];

/**
 * The name by which machines pull an image if spec.assets names a registry or a proxy (kops pkg/assets/builder.go,
 * RemapImage). A registry has all images in one folder: `quay.io/cilium/cilium:v1` becomes
 * `<registry>/quay.io-cilium-cilium:v1`. A proxy has them under their own paths: `<proxy>/cilium/cilium:v1`. Mapping an
 * image twice changes nothing.
 */
export function mirroredImage(image: string, { containerProxy, containerRegistry }: Assets = {}): string {
  if (containerRegistry !== undefined && containerRegistry !== '')
    return inRegistry(image, withoutSlash(containerRegistry));
  if (containerProxy !== undefined && containerProxy !== '') return byProxy(image, withoutSlash(containerProxy));
  return image;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

function inRegistry(image: string, registry: string): string {
  if (image.startsWith(`${registry}/`)) return image;
  const prefix = KUBERNETES_REGISTRIES.find((one) => image.startsWith(one)) ?? '';
  return `${registry}/${image.slice(prefix.length).replaceAll('/', '-')}`;
}

function byProxy(image: string, proxy: string): string {
  if (image.startsWith(`${proxy}/`)) return image;
  return namesRegistry(image) || image.split('/').length > 2
    ? image.replace(/^[^/]+/, proxy)
    : // An image of Docker Hub.
      `${proxy}/${image}`;
}
