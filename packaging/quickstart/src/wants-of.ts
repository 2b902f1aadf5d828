import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { Wants } from '@kopsctl/packaging-assets/wants.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';

/** What the clusters of a specification run. Nothing for a text that is not a valid specification: `apply` reports its faults. */
export function wantsOf(text: string, file: string): Wants {
  const clusters = parseObjects(text, file).objects.flatMap((one) => (one.kind === 'Cluster' ? [one.value.spec] : []));
  const all = clusters.map(wantsOfCluster);
  return {
    kubernetes: [...new Set(all.flatMap(({ kubernetes }) => kubernetes))],
    docker: all.some(({ docker }) => docker === true),
    images: [...new Set(all.flatMap(({ images = [] }) => images))],
  };
}

function wantsOfCluster(spec: ClusterSpec): Wants {
  const images = [
    ...(spec.metricsServer?.enabled === true ? ['metrics-server'] : []),
    ...(spec.snapshotController?.enabled === true ? ['snapshot-controller'] : []),
    ...(spec.networking?.flannel === undefined ? [] : ['flannel', 'flannel-cni-plugin']),
  ];
  return {
    kubernetes: [bareVersion(spec.kubernetesVersion ?? RECOMMENDED_KUBERNETES)],
    docker: spec.containerRuntime === 'docker',
    images,
  };
}
