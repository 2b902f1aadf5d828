import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { type EtcdVersions, etcdVersionsBehind, etcdVersionsOf } from './etcd-versions.ts';
import type { Proposal, SpecChange } from './propose-upgrade.ts';

/** One step of an upgrade: the spec is changed, and all machines follow before the next step begins. */
export interface Rung {
  /** The version of Kubernetes after it. */
  readonly kubernetes: string;
  readonly changes: readonly SpecChange[];
}

export interface RungsInput {
  readonly cluster: Cluster;
  readonly applied: string;
  /** The versions to go through. */
  readonly ladder: readonly string[];
  readonly proposals: readonly Proposal[];
}

/**
 * The steps of an upgrade. etcd goes first: before the version of Kubernetes that is made for a newer minor of it. Images and
 * whatever else changes come with the last version. Pure.
 */
export function planRungs({ cluster, applied, ladder, proposals }: RungsInput): readonly Rung[] {
  const { name } = cluster.metadata;
  const setting = (kubernetes: string, more: readonly string[]): Rung => ({
    kubernetes,
    changes: [{ kind: 'Cluster', name, set: [`spec.kubernetesVersion=${kubernetes}`, ...more] }],
  });
  const versions = ladder.length === 0 && proposals.length > 0 ? [applied] : ladder;
  let [etcds, reached]: [EtcdVersions, string] = [etcdVersionsOf(cluster), applied];
  const rungs = versions.flatMap((version): readonly Rung[] => {
    const behind = etcdVersionsBehind(etcds, version);
    const first = behind.map(({ index, wanted }) => `spec.etcdClusters[${index}].version=${wanted}`);
    const before = setting(reached, first);
    etcds = etcds.map((one) => ({
      ...one,
      version: behind.find(({ index }) => index === one.index)?.wanted ?? one.version,
    }));
    reached = version;
    if (first.length === 0) return [setting(version, [])];
    return before.kubernetes === version ? [before] : [before, setting(version, [])];
  });
  return rungs.map((rung, index) => ({
    ...rung,
    changes: [
      ...(index === 0 ? proposals.filter(({ property }) => property === 'Channel').map(({ change }) => change) : []),
      ...rung.changes,
      ...(index === rungs.length - 1
        ? proposals.filter(({ property }) => property === 'Image').map(({ change }) => change)
        : []),
    ],
  }));
}
