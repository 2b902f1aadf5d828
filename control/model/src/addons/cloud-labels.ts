import type { ClusterFacts } from '../cluster-facts.ts';

/** The tags of what addons create in a cloud, in the form that flags take (kops template function CloudLabels). */
export const cloudLabels = ({ clusterName, spec }: ClusterFacts): string =>
  Object.entries({ ...spec.cloudLabels, KubernetesCluster: clusterName })
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(',');
