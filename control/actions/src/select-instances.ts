import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InstanceType } from '@kopsctl/model/instance-types/instance-type.ts';
import { flexibly, like, selectTypes, type TypeWishes } from '@kopsctl/model/instance-types/select-types.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { driverOf } from './cloud/cloud-layer.ts';
import { type GroupWishes, groupOfTypes } from './instance-types/group-of-types.ts';
import { type ActionContext, inPhase, result } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { type MakingCommand, makingCommand } from './phases/making-command.ts';
import { newInstanceGroup } from './spec/new-instance-group.ts';
import { planObject, readCluster, writeObject } from './store/cluster-store.ts';

export interface SelectRequest extends GroupWishes {
  readonly name: string;
  readonly subnets: readonly string[];
  readonly types: TypeWishes;
  /** Types that are much like this one are searched for. */
  readonly baseType?: string | undefined;
  /** Several current types; their size is inferred where none is asked for. */
  readonly isFlexible: boolean;
  /** This many groups are made, each with twice the memory per processor of the one before. */
  readonly groups: number;
  /** Only the objects are shown. */
  readonly dryRun: boolean;
}

export interface SelectedGroups {
  readonly groups: readonly InstanceGroup[];
  readonly next: MakingCommand;
}

/** Makes instance groups of machine types that match what is asked for. */
export async function selectInstances(context: ActionContext, request: SelectRequest): Promise<SelectedGroups> {
  const { store, cluster: clusterName } = await chooseCluster(context, undefined);
  const stored = await inPhase(context, 'read the cluster', () => readCluster(store, clusterName));
  const taken = stored.instanceGroups.find(({ metadata }) => namesOfGroups(request).includes(metadata.name));
  if (taken !== undefined) throw existing(taken.metadata.name, clusterName);
  const { instanceTypes } = driverOf(stored.cluster);
  if (instanceTypes === undefined) {
    throw new ActionableError({
      what: `select machine types for ${clusterName}`,
      why: `the cloud provider ${stored.cluster.spec.cloudProvider ?? ''} does not say what its types have`,
      next: 'name a type yourself: `kopsctl create instancegroup NAME`, then spec.machineType',
    });
  }
  const offered = await inPhase(context, 'ask the cloud for its machine types', () =>
    instanceTypes(stored.cluster, context.signal),
  );
  const groups = wishesOfGroups(request, offered).map(({ name, wishes }) => {
    const types = selectTypes(offered, wishes);
    if (types.length === 0) throw noType(name);
    const inferred = newInstanceGroup(stored, { name, role: 'node', subnets: request.subnets });
    return groupOfTypes(inferred, types, clusterName, request);
  });
  const next = makingCommand(stored.cluster);
  if (request.dryRun) return { groups, next };
  for (const group of groups) {
    const { name } = group.metadata;
    const change = await planObject(store, clusterName, { kind: 'InstanceGroup', name, text: printObject(group) });
    if (change.change !== 'create') throw existing(name, clusterName);
    await inPhase(context, 'store the instance group', () => writeObject(store, change));
    result(context, `Created instancegroup/${name} of ${clusterName}`);
  }
  return { groups, next };
}

const namesOfGroups = ({ name, groups }: Pick<SelectRequest, 'name' | 'groups'>): readonly string[] =>
  groups <= 1 ? [name] : Array.from({ length: groups }, (_, index) => `${name}${index + 1}`);

function wishesOfGroups(
  { name, types, baseType, isFlexible, groups }: SelectRequest,
  offered: readonly InstanceType[],
): readonly { readonly name: string; readonly wishes: TypeWishes }[] {
  const base = baseType === undefined ? undefined : offered.find((type) => type.name === baseType);
  if (baseType !== undefined && base === undefined) throw noType(name, baseType);
  const asked = { ...(base !== undefined && like(base)), ...types };
  const wishes = isFlexible ? flexibly(asked) : asked;
  const names = namesOfGroups({ name, groups });
  if (names.length === 1) return [{ name, wishes }];
  const first = wishes.memoryPerVcpuMib ?? 2048;
  return names.map((one, index) => ({
    name: one,
    wishes: { ...wishes, memoryPerVcpuMib: first * 2 ** index },
  }));
}

const noType = (group: string, base?: string): ActionableError =>
  new ActionableError({
    what: `select machine types for instancegroup/${group}`,
    why: base === undefined ? 'no type has all that is asked for' : `its cloud has no type ${base}`,
    next: base === undefined ? 'ask for a wider range, or for less' : 'name another one with --base-instance-type',
  });

const existing = (group: string, cluster: string): ActionableError =>
  new ActionableError({
    what: `create instancegroup/${group} of ${cluster}`,
    why: 'it already exists',
    next: `choose another name, or change it with \`kopsctl edit instancegroup ${group} --name ${cluster}\``,
  });
