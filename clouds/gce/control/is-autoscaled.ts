import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';

/** Whether the cluster autoscaler chooses the size of a group within its bounds. */
export const isAutoscaled = ({ spec }: Pick<ClusterFacts, 'spec'>, group: InstanceGroup): boolean =>
  spec.clusterAutoscaler?.enabled === true && roleOf(group) === 'Node' && group.spec.autoscale === true;
