import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { distinct } from '@kopsctl/model/distinct.ts';
import type { SshPublicKey } from '@kopsctl/model/model-input.ts';
import { apiLoadBalancer } from './api-load-balancer.ts';
import { autoscalingGroup } from './autoscaling-group.ts';
import { isScaledByAws } from './group-names.ts';
import { awsContext } from './aws-context.ts';
import { bastion } from './bastion.ts';
import { dns } from './dns.ts';
import { etcdVolumes } from './etcd-volumes.ts';
import { externalAccess } from './external-access.ts';
import { securityGroupRules } from './security-group-rules.ts';
import { issuerFiles } from './iam/issuer-files.ts';
import { machineRoles } from './iam/machine-roles.ts';
import { oidcProvider } from './iam/oidc-provider.ts';
import { serviceAccountRoles } from './iam/service-accounts.ts';
import { keyPair } from './key-pairs.ts';
import { type GroupBoot, launchTemplate } from './launch-template.ts';
import { network } from './network.ts';
import { nodeTermination } from './node-termination.ts';
import { warmPoolHooks } from './warm-pool.ts';

/**
 * Everything of a cluster that is in AWS, as tasks of the kinds in `../kinds`.
 *
 * @param bootOf undefined for groups whose machines are not made
 */
export function awsResources(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
  sshPublicKeys: readonly SshPublicKey[],
  bootOf: (group: InstanceGroup) => Omit<GroupBoot, 'keyPair'> | undefined,
): readonly Task[] {
  const context = awsContext(facts, groups);
  const key = keyPair(context, sshPublicKeys);
  return distinct([
    ...network(context),
    ...securityGroupRules(context),
    ...externalAccess(context),
    ...apiLoadBalancer(context),
    ...bastion(context),
    ...dns(context),
    ...machineRoles(context),
    ...serviceAccountRoles(context),
    ...oidcProvider(context),
    ...issuerFiles(context),
    ...key.tasks,
    ...etcdVolumes(context),
    ...groups.filter(isScaledByAws).flatMap((group) => {
      const boot = bootOf(group);
      if (boot === undefined) return [];
      const template = { ...boot, ...(key.name === undefined ? {} : { keyPair: key.name }) };
      return [launchTemplate(context, group, template), autoscalingGroup(context, group)];
    }),
    ...warmPoolHooks(context),
    ...nodeTermination(context),
  ]);
}
