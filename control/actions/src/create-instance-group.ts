import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { MachineRole } from '@kopsctl/model/create-cluster/channel.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { planObject, readCluster, writeObject } from './store/cluster-store.ts';
import type { OpenEditor } from './spec/edit-by-hand.ts';
import { newInstanceGroup } from './spec/new-instance-group.ts';
import { type ActionContext, inPhase, result } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { type EditedObject, editStoredObject } from './phases/edit-stored-object.ts';
import { type MakingCommand, makingCommand } from './phases/making-command.ts';

export interface CreateInstanceGroupRequest {
  readonly name: string;
  readonly role: MachineRole;
  readonly subnets: readonly string[];
  /** Empty where the subnets determine them. */
  readonly zones: readonly string[];
  /** Only the object is shown. */
  readonly dryRun: boolean;
  /** Opens it afterwards, where the person wants to change it. */
  readonly openEditor?: OpenEditor | undefined;
}

export type CreatedInstanceGroup =
  | { readonly kind: 'shown'; readonly group: InstanceGroup }
  | { readonly kind: 'stored'; readonly next: MakingCommand }
  | { readonly kind: 'edited'; readonly edited: EditedObject };

/** Infers an instance group of a cluster that exists, stores it, and lets the person edit it. */
export async function createInstanceGroup(
  context: ActionContext,
  { name, role, subnets, zones, dryRun, openEditor }: CreateInstanceGroupRequest,
): Promise<CreatedInstanceGroup> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const stored = await inPhase(context, 'read the cluster', () => readCluster(store, cluster));
  const group = newInstanceGroup(stored, { name, role, subnets }, zones);
  if (dryRun) return { kind: 'shown', group };
  const change = await planObject(store, cluster, { kind: 'InstanceGroup', name, text: printObject(group) });
  if (change.change !== 'create') {
    throw new ActionableError({
      what: `create instancegroup/${name} of ${cluster}`,
      why: 'it already exists',
      next: `change it with \`kopsctl edit instancegroup ${name} --name ${cluster}\``,
    });
  }
  await inPhase(context, 'store the instance group', () => writeObject(store, change));
  result(context, `Created instancegroup/${name} of ${cluster}`);
  if (openEditor === undefined) return { kind: 'stored', next: makingCommand(stored.cluster) };
  const target = { store, cluster, kind: 'InstanceGroup', name } as const;
  return { kind: 'edited', edited: await editStoredObject(context, target, { openEditor }) };
}
