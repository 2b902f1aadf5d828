import type { Completed } from '@kopsctl/spec/complete.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { type Asset, assetCatalog, type AssetSource } from './asset-catalog.ts';
import { containerdSettings } from '../runtime/containerd-settings.ts';
import { etcdAsset } from '../etcd-version.ts';
import type { Replaced } from './replaced.ts';
import { containerdAsset, dockerAsset, runcAsset } from './runtime-assets.ts';

interface Choice {
  readonly program: string;
  /** Undefined where the spec leaves the version open. */
  readonly wanted: string | undefined;
  readonly used: Asset;
}

/**
 * The programs besides Kubernetes of which machines run another version than the spec names, each pair once.
 *
 * @throws ActionableError if the prepared assets do not hold a program at all, or none that works with this Kubernetes
 */
export function replacedPrograms(
  completed: Pick<Completed, 'cluster' | 'instanceGroups'>,
  index: AssetSource,
): readonly Replaced[] {
  const replaced = choicesOf(completed, index).flatMap(({ program, wanted, used }): readonly Replaced[] =>
    wanted === undefined || bareVersion(wanted) === bareVersion(used.version)
      ? []
      : [{ wanted: `${program} ${bareVersion(wanted)}`, used: bareVersion(used.version) }],
  );
  return [...new Map(replaced.map((one) => [`${one.wanted} ${one.used}`, one])).values()];
}

function choicesOf(
  { cluster: { spec }, instanceGroups }: Pick<Completed, 'cluster' | 'instanceGroups'>,
  index: AssetSource,
): readonly Choice[] {
  const assets = assetCatalog(index, 'amd64', []);
  const etcd = (spec.etcdClusters ?? []).map((one): Choice => ({
    program: 'etcd',
    wanted: one.version,
    used: etcdAsset(one, assets),
  }));
  if (spec.containerRuntime === 'docker') {
    return [{ program: 'Docker', wanted: spec.docker?.version, used: dockerAsset(assets, spec) }, ...etcd];
  }
  const kubernetes = kubernetesFacts(spec.kubernetesVersion ?? '');
  const runtimes = instanceGroups.flatMap((group): readonly Choice[] => {
    const settings = containerdSettings(spec, group);
    // The image of the machines brings it.
    if (settings.skipInstall === true || kubernetes === undefined) return [];
    return [
      { program: 'containerd', wanted: settings.version, used: containerdAsset(assets, settings, kubernetes) },
      { program: 'runc', wanted: settings.runc?.version, used: runcAsset(assets, settings) },
    ];
  });
  return [...runtimes, ...etcd];
}
