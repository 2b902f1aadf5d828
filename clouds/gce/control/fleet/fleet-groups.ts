import type { FleetGroup, FleetMachine, MadeByKopsctl } from '@kopsctl/model/fleet.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { ManagedGroup } from '../handlers/cluster-groups.ts';
import type { ManagedMachine } from '../handlers/managed-machines.ts';

/** A managed group with its machines. */
export interface ListedGroup extends ManagedGroup {
  readonly listed: readonly ManagedMachine[];
}

/** Machines with these actions are leaving, or do not exist yet. */
const NOT_THERE = ['DELETING', 'ABANDONING', 'RECREATING', 'CREATING', 'CREATING_WITHOUT_RETRIES'];

/**
 * The instance groups of a cluster with their machines, those of all zones together. A machine is current if it was made
 * from the template from which its group makes the next one. Pure.
 *
 * @param machines all of the cluster, whose `instanceId` is `<zone>/<name>`
 */
export function fleetGroups(
  roles: ReadonlyMap<string, NodeRole>,
  groups: readonly ListedGroup[],
  machines: readonly CloudMachine[],
): readonly FleetGroup[] {
  const byId = new Map(machines.map((machine) => [machine.instanceId, machine]));
  return [...roles]
    .map(([name, role]): FleetGroup => {
      const zonal = groups.filter(({ instanceGroup }) => instanceGroup === name);
      return {
        name,
        role,
        wanted: zonal.reduce((sum, { targetSize }) => sum + targetSize, 0),
        machines: zonal.flatMap((group) =>
          group.listed
            .filter(({ id, action }) => id !== '' && !NOT_THERE.includes(action))
            .map((one) => machineOf(one, group, { name, role }, byId.get(instanceIdOf(one.path)))),
        ),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The instance groups and machines that start kopsctl's agents. A machine that does not exist yet, or whose template is
 * unknown, is treated like the next machine of its group. Pure.
 *
 * @param ours the templates that start them, by path
 */
export function madeByKopsctl(groups: readonly ListedGroup[], ours: ReadonlySet<string>): MadeByKopsctl {
  const isNext = ({ templates }: ManagedGroup): boolean => templates.some((template) => ours.has(template));
  return {
    groups: [...new Set(groups.filter(isNext).map(({ instanceGroup }) => instanceGroup))].toSorted(),
    machines: groups.flatMap((group) =>
      group.listed
        .filter(({ template }) => (template === '' ? isNext(group) : ours.has(template)))
        .map(({ path }) => instanceIdOf(path)),
    ),
  };
}

/** `us-east1-b/nodes-x7k2`, from a path. */
const instanceIdOf = (path: string): string =>
  /\/zones\/([^/]+)\/instances\/([^/]+)$/.exec(path)?.slice(1).join('/') ?? path;

function machineOf(
  { path, id, template }: ManagedMachine,
  { templates }: ManagedGroup,
  { name, role }: Pick<FleetGroup, 'name' | 'role'>,
  machine: CloudMachine | undefined,
): FleetMachine {
  return {
    id,
    name: instanceIdOf(path),
    nodeName: role === 'Bastion' ? '' : (machine?.nodeName ?? ''),
    instanceGroup: name,
    role,
    address: machine?.address ?? '',
    running: machine?.running ?? false,
    ...(machine?.launchedMs !== undefined && { launchedMs: machine.launchedMs }),
    isCurrent: templates.length === 1 && templates[0] === template,
    standing: 'counted',
  };
}
