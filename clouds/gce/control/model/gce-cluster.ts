import { distinct } from '@kopsctl/model/distinct.ts';
import { nodeBoot } from '@kopsctl/model/group-boot.ts';
import { makesMachines, type ModelInput } from '@kopsctl/model/model-input.ts';
import { publishedAssets } from '@kopsctl/model/assets/published-assets.ts';
import { publishedCluster } from '@kopsctl/model/store/published-cluster.ts';
import { stateKey } from '@kopsctl/model/store/state-key.ts';
import { userDataOf } from '@kopsctl/model/user-data.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';
import { architectureOf } from '../machine-types.ts';
import { gceModelCloud } from './model-cloud.ts';
import { apiLoadBalancer } from './api-load-balancer.ts';
import { etcdDisks } from './etcd-disks.ts';
import { firewall } from './firewall.ts';
import { gceContext } from './gce-context.ts';
import { instanceTemplate } from './instance-template.ts';
import { issuerFiles } from './issuer-files.ts';
import { managedGroups } from './managed-groups.ts';
import { network } from './network.ts';
import { serviceAccounts } from './service-accounts.ts';

/** The tasks of a cluster in GCE. */
export function gceCluster(input: ModelInput): readonly Task[] {
  const { instanceGroups: groups } = input;
  const { facts, mirrors, identity, files } = publishedCluster(input, gceModelCloud);
  const context = gceContext(facts, groups);
  const accounts = serviceAccounts(context);
  const opening = accounts.filter(({ kind }) => kind === 'gce/KeyMember').map(taskId);
  const made = groups.filter((group) => makesMachines(input, group));
  const machines = made.map((group) => {
    const boot = bootOf(group);
    const userData = userDataOf(group, boot?.userData);
    const template = instanceTemplate(context, group, input.sshPublicKeys, {
      ...(userData === undefined ? {} : { userData }),
      needs: boot === undefined ? [] : [...[boot.planFile, ...identity, ...files].map(taskId), ...opening],
    });
    return { plans: boot === undefined ? [] : [boot.planFile], made: [template, ...managedGroups(context, group)] };
  });
  return distinct([
    ...identity,
    ...files,
    ...stateKey(facts, opening),
    ...machines.flatMap(({ plans }) => plans),
    ...network(context),
    ...firewall(context),
    ...accounts,
    ...issuerFiles(context),
    ...etcdDisks(context),
    ...machines.flatMap(({ made }) => made),
    ...apiLoadBalancer(context),
  ]);

  function bootOf(group: InstanceGroup) {
    if (roleOf(group) === 'Bastion') return undefined;
    const arch = architectureOf(group.spec.machineType ?? '');
    const assets = publishedAssets(facts, group, input, arch);
    return nodeBoot(facts, group, { assets, sha256Of: input.sha256Of }, mirrors, arch);
  }
}
