import { planObject, readCluster, writeObject } from '@kopsctl/apply/cluster-store.ts';
import { InvalidSpecError } from '@kopsctl/apply/invalid-spec-error.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { MachineRole } from '@kopsctl/model/create-cluster/channel.ts';
import { newInstanceGroup } from '@kopsctl/model/create-cluster/new-instance-group.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { nextCommand } from '../next-command.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';

interface Options {
  readonly role: string;
  readonly subnet?: readonly string[];
  readonly dryRun?: boolean;
  readonly output: 'yaml' | 'json';
  readonly edit?: boolean;
}

const ROLES: Readonly<Record<string, MachineRole>> = {
  apiserver: 'apiServer',
  bastion: 'bastion',
  'control-plane': 'controlPlane',
  master: 'controlPlane',
  node: 'node',
};

/** Infers an instance group of a cluster that exists, stores it, and lets the person edit it. */
export async function createInstanceGroup(
  global: GlobalOptions,
  name: string,
  options: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const store = await openStateStore(global);
  const clusterName = await chooseCluster(global, undefined, store);
  const { cluster, instanceGroups } = await readCluster(store, clusterName);
  const role = ROLES[options.role.toLowerCase()] ?? 'node';
  const group = newInstanceGroup(cluster, { name, role, subnets: options.subnet ?? [] });
  const faults = validateCluster(cluster, [...instanceGroups, group]);
  if (faults.length > 0) throw new InvalidSpecError(`create instancegroup/${name}`, faults);
  if (options.dryRun === true) {
    process.stdout.write(await printed([group], options.output));
    return 0;
  }
  const change = await planObject(store, clusterName, { kind: 'InstanceGroup', name, text: printObject(group) });
  if (change.change !== 'create') {
    throw new ActionableError({
      what: `create instancegroup/${name} of ${clusterName}`,
      why: 'there is one of that name',
      next: `change it with \`kopsctl edit instancegroup ${name} --name ${clusterName}\``,
    });
  }
  await writeObject(store, change);
  process.stdout.write(`Created instancegroup/${name} of ${clusterName}\n`);
  if (options.edit ?? process.stdin.isTTY) {
    const { editObject } = await import('./edit.ts');
    return editObject({ ...global, name: clusterName }, 'InstanceGroup', name, {}, env);
  }
  process.stdout.write(`Next: ${await nextCommand(store, clusterName)}\n`);
  return 0;
}
