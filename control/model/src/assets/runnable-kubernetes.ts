import semver from 'semver';
import type { AssetEntry } from '@kopsctl/assets/asset-index.ts';

/** Programs and images that machines get in the version of the cluster. */
const COMPONENTS = [
  'kubelet',
  'kubectl',
  'image/kube-apiserver',
  'image/kube-controller-manager',
  'image/kube-scheduler',
  'image/kube-proxy',
];

/**
 * The version of Kubernetes that is run by machines that get it from the prepared assets: the wanted one, otherwise the
 * nearest patch release that the assets hold. If they hold none of its minor version, it is the wanted one: minor
 * versions differ too much to replace one by another, and the lookup of its programs fails.
 */
export function runnableKubernetes(
  wanted: string,
  { assets }: { readonly assets: readonly Pick<AssetEntry, 'name' | 'version'>[] },
): string {
  const release = semver.parse(wanted);
  if (release === null) return wanted;
  const [first, ...others] = COMPONENTS.map(
    (component) => new Set(assets.flatMap(({ name, version }) => (name === component ? [version] : []))),
  );
  const held = [...(first ?? [])].filter((version) => others.every((versions) => versions.has(version)));
  if (held.includes(release.version)) return release.version;
  const [nearest] = held
    .flatMap((version) => semver.parse(version) ?? [])
    .filter(({ major, minor }) => major === release.major && minor === release.minor)
    .toSorted((a, b) => Math.abs(a.patch - release.patch) - Math.abs(b.patch - release.patch) || semver.rcompare(a, b));
  return nearest?.version ?? release.version;
}
