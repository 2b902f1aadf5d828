import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { ownTags } from '../../node/ownership.ts';

/** The network of a cluster's machines. */
export const toyNetwork = ({ clusterName, spec }: ClusterFacts): Task => ({
  kind: 'toy/Network',
  name: clusterName,
  props: { cidr: spec.networkCIDR ?? '', tags: ownTags(clusterName) },
});
