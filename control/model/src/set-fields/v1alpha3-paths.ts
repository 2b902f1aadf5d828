import { translatePath, type TranslatedPath } from '@kopsctl/spec/versions/translate-path.ts';

/**
 * kops's --set takes the names it has inside, which are those of v1alpha3 but for these: in kops, the Go names of
 * fields whose JSON names are older. On the right is what a spec calls them.
 */
const INSIDE: readonly (readonly [RegExp, string])[] = [
  [/^(spec\.etcdClusters\[[\d*]+\])\.members(?![\w-])/, '$1.etcdMembers'],
  [/^(spec\.cloudProvider\.openstack\.blockStorage)\.ignoreAZ$/, '$1.ignore-volume-az'],
  [/^(spec\.cloudProvider\.openstack\.blockStorage)\.version$/, '$1.bs-version'],
  [/^spec\.topology\.bastion\.publicName$/, 'spec.topology.bastion.bastionPublicName'],
  [/^spec\.rootVolume\.deleteOnTermination$/, 'spec.rootVolumeDeleteOnTermination'],
];

/** The path in v1alpha2 of one that is spelled as kops's newest API has it; any other path is itself. */
export function inV1alpha2(kind: string, path: string): TranslatedPath {
  const spelled = INSIDE.reduce((text, [inside, outside]) => text.replace(inside, outside), path);
  const translated = translatePath(kind, spelled, 'v1alpha3');
  // A path that both versions have takes its value as v1alpha2 spells it.
  return translated.path === spelled ? { path: spelled } : translated;
}
