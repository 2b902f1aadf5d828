import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { nodeBoot, type NodeBoot } from '@kopsctl/model/group-boot.ts';
import { makesMachines, type ModelInput } from '@kopsctl/model/model-input.ts';
import { publishedAssets } from '@kopsctl/model/assets/published-assets.ts';
import { publishedCluster } from '@kopsctl/model/store/published-cluster.ts';
import { stateKey } from '@kopsctl/model/store/state-key.ts';
import { architectureOf } from '../architecture.ts';
import { userDataOf } from '@kopsctl/model/user-data.ts';
import { awsResources } from './aws.ts';
import { roleName } from './iam/role-names.ts';
import { karpenterPools } from './karpenter-pools.ts';
import { machineTypes } from './launch-template.ts';
import { isScaledByAws } from './group-names.ts';
import { awsModelCloud } from './model-cloud.ts';

/** The tasks of a cluster in AWS. */
export function awsCluster(input: ModelInput): readonly Task[] {
  const { instanceGroups: groups } = input;
  const boots = new Map<InstanceGroup, NodeBoot>();
  const { facts, identity, files } = publishedCluster(input, awsModelCloud, (known, mirrors) => {
    for (const group of groups) {
      if (roleOf(group) !== 'Bastion') boots.set(group, bootOf(known, mirrors, group, input));
    }
    return karpenterPools(known, groups, (group) => userDataOf(group, boots.get(group)?.userData));
  });
  const resources = awsResources(facts, groups, input.sshPublicKeys, (group) => {
    if (!makesMachines(input, group)) return undefined;
    const boot = boots.get(group);
    const userData = userDataOf(group, boot?.userData);
    return {
      ...(userData === undefined ? {} : { userData }),
      needs: boot === undefined ? [] : [boot.planFile, ...identity, ...files].map(taskId),
    };
  });
  const policies = new Set((['ControlPlane', 'APIServer'] as const).map((role) => roleName(facts, role)));
  const opening = resources.filter(({ kind, name }) => kind === 'aws/IamRolePolicy' && policies.has(name));
  const sealing = stateKey(facts, opening.map(taskId));
  // Objects in the cluster, which all machines share, name the plans of the groups that Karpenter makes.
  const plans = [...boots].filter(([group]) => makesMachines(input, group) || !isScaledByAws(group));
  return [...identity, ...files, ...sealing, ...plans.map(([, { planFile }]) => planFile), ...resources];
}

function bootOf(facts: ClusterFacts, mirrors: readonly string[], group: InstanceGroup, input: ModelInput): NodeBoot {
  const [machineType] = machineTypes(group);
  const arch = machineType === undefined ? 'amd64' : architectureOf(machineType);
  const assets = publishedAssets(facts, group, input, arch);
  return nodeBoot(facts, group, { assets, sha256Of: input.sha256Of }, mirrors, arch);
}
