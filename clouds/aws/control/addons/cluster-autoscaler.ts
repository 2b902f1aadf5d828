import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { clusterAutoscalerObjects, type ScaledGroup } from '@kopsctl/model/addons/cluster-autoscaler.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { autoscalingGroupName, isScaledByAws } from '../model/group-names.ts';
import { regionOf } from '../region.ts';
import { callingAws } from './aws-identity.ts';

/** The autoscaler of auto-scaling groups, which are known by their names. */
export function awsAutoscalerObjects(facts: ClusterFacts, groups: readonly InstanceGroup[]): readonly AddonObject[] {
  const scaled = groups.filter(
    (group) => roleOf(group) === 'Node' && group.spec.autoscale === true && isScaledByAws(group),
  );
  return clusterAutoscalerObjects(facts, {
    provider: 'aws',
    groups: scaled.map((group) => scaledGroup(facts, group)),
    settings: { awsUseStaticInstanceList: facts.spec.clusterAutoscaler?.awsUseStaticInstanceList },
    env: { AWS_REGION: regionOf(facts.clusterName, facts.spec) },
    callingCloud: (account, pod) => callingAws(facts, account, pod),
  });
}

function scaledGroup(facts: ClusterFacts, group: InstanceGroup): ScaledGroup {
  const name = autoscalingGroupName(facts, group);
  const { minSize, maxSize, autoscalePriority } = group.spec;
  return {
    name,
    minSize: completedValue('spec.minSize', minSize),
    maxSize: completedValue('spec.maxSize', maxSize),
    priority: completedValue('spec.autoscalePriority', autoscalePriority),
    idPattern: `^${name.replaceAll('.', String.raw`\.`)}$`,
  };
}
