import { SUPPORTED_PATCHES } from '@kopsctl/model/upgrade/stable-channel.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { Wants } from '@kopsctl/packaging-assets/wants.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';

/**
 * What the clusters of a specification run, with `kubernetes` where it names no version. Nothing for a text that is not a valid specification: `apply` reports its
 * faults.
 */
export function wantsOf(text: string, file: string, kubernetes: string): Wants {
  const all = clustersOf(text, file).map((spec) => wantsOfCluster(spec, kubernetes));
  return {
    kubernetes: [...new Set(all.flatMap(({ kubernetes }) => kubernetes))],
    docker: all.some(({ docker }) => docker === true),
    images: [...new Set(all.flatMap(({ images = [] }) => images))],
  };
}

/** What to prepare for a specification, if there is a source of this Kubernetes. */
export interface Candidate {
  readonly kubernetes: string;
  readonly wants: Wants;
}

/**
 * What to prepare for a specification, the best first: the newest Kubernetes that this machine can get, of the
 * supported ones. A specification whose clusters all name their version leaves no choice.
 */
export function candidatesOf(text: string, file: string): readonly [Candidate, ...Candidate[]] {
  const leavesChoice = clustersOf(text, file).some(({ kubernetesVersion }) => kubernetesVersion === undefined);
  const candidate = (kubernetes: string): Candidate => ({ kubernetes, wants: wantsOf(text, file, kubernetes) });
  const older = SUPPORTED_PATCHES.filter((version) => version !== RECOMMENDED_KUBERNETES);
  return [candidate(RECOMMENDED_KUBERNETES), ...(leavesChoice ? older.map(candidate) : [])];
}

function clustersOf(text: string, file: string): readonly ClusterSpec[] {
  return parseObjects(text, file).objects.flatMap((one) => (one.kind === 'Cluster' ? [one.value.spec] : []));
}

function wantsOfCluster(spec: ClusterSpec, kubernetes: string): Wants {
  const images = [
    ...(spec.metricsServer?.enabled === true ? ['metrics-server'] : []),
    ...(spec.snapshotController?.enabled === true ? ['snapshot-controller'] : []),
    ...(spec.networking?.flannel === undefined ? [] : ['flannel', 'flannel-cni-plugin']),
  ];
  return {
    kubernetes: [bareVersion(spec.kubernetesVersion ?? kubernetes)],
    docker: spec.containerRuntime === 'docker',
    images,
  };
}
