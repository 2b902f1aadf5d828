import type { ClusterFacts } from '../cluster-facts.ts';

/** The tags of what addons make in a cloud, as flags take them (kops template function CloudLabels). */
export const cloudLabels = ({ clusterName, spec }: ClusterFacts): string =>
  Object.entries({ ...spec.cloudLabels, KubernetesCluster: clusterName })
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(',');
