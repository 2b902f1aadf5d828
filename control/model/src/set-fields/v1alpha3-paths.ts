import { translatePath, type TranslatedPath } from '@kopsctl/spec/versions/translate-path.ts';

/**
 * kops's --set uses its internal names. These are the names of v1alpha3 with the exceptions on the left: Go names of
 * fields whose JSON names are older. The right side has the names in a spec.
 */
const INSIDE: readonly (readonly [RegExp, string])[] = [
  [/^(spec\.etcdClusters\[[\d*]+\])\.members(?![\w-])/, '$1.etcdMembers'],
  [/^(spec\.cloudProvider\.openstack\.blockStorage)\.ignoreAZ$/, '$1.ignore-volume-az'],
  [/^(spec\.cloudProvider\.openstack\.blockStorage)\.version$/, '$1.bs-version'],
  [/^spec\.topology\.bastion\.publicName$/, 'spec.topology.bastion.bastionPublicName'],
  [/^spec\.rootVolume\.deleteOnTermination$/, 'spec.rootVolumeDeleteOnTermination'],
];

/** Converts a path with the names of kops's newest API to v1alpha2. Any other path is returned unchanged. */
export function inV1alpha2(kind: string, path: string): TranslatedPath {
  const spelled = INSIDE.reduce((text, [inside, outside]) => text.replace(inside, outside), path);
  const translated = translatePath(kind, spelled, 'v1alpha3');
  // If both versions have the path, its value is spelled as in v1alpha2.
  return translated.path === spelled ? { path: spelled } : translated;
}
