import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { asControlPlane } from '@kopsctl/model/addons/as-control-plane.ts';
import { clusterAutoscalerObjects, type ScaledGroup } from '@kopsctl/model/addons/cluster-autoscaler.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { sizesByZone } from '../group-sizes.ts';
import { isAutoscaled } from '../is-autoscaled.ts';
import { managedGroupName } from '../names.ts';
import { projectOf } from '../region.ts';

const COMPUTE = 'https://www.googleapis.com/compute/v1';

/** The autoscaler of managed instance groups. */
export const gceAutoscalerObjects = (facts: ClusterFacts, groups: readonly InstanceGroup[]): readonly AddonObject[] =>
  clusterAutoscalerObjects(facts, {
    provider: 'gce',
    groups: groups.filter((group) => isAutoscaled(facts, group)).flatMap((group) => groupsByZone(facts, group)),
    callingCloud: asControlPlane,
  });

/** To the autoscaler, an instance group is one group in each of its zones. These share its bounds as they share its machines. */
function groupsByZone({ clusterName, spec }: ClusterFacts, group: InstanceGroup): readonly ScaledGroup[] {
  const { minSize, maxSize, autoscalePriority, zones = [] } = group.spec;
  const project = projectOf(clusterName, spec);
  const least = sizesByZone(completedValue('spec.minSize', minSize), zones);
  const most = sizesByZone(completedValue('spec.maxSize', maxSize), zones);
  return [...most]
    .filter(([, machines]) => machines > 0)
    .map(([zone, machines]) => {
      const name = managedGroupName(group.metadata.name, zone, clusterName);
      const path = `/projects/${project}/zones/${zone}/instanceGroups/${name}`;
      return {
        name: COMPUTE + path,
        minSize: least.get(zone) ?? 0,
        maxSize: machines,
        priority: completedValue('spec.autoscalePriority', autoscalePriority),
        // Earlier releases have another host in the ids of groups (autoscaler cloudprovider/gce/gce_url.go).
        idPattern: `${path.replaceAll('.', String.raw`\.`)}$`,
      };
    });
}
