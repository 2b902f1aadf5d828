import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { change, listByPost, pathIn, read, remove, resourcePath } from '../handlers/compute-calls.ts';
import { openGce } from '../handlers/gce-cloud.ts';
import { doing, isNotFound } from '../handlers/google-error.ts';
import { groupsOf, machinesOf } from '../running/machines-and-groups.ts';
import { fleetGroups, type ListedGroup, type ManagedMachine } from './fleet-groups.ts';

/** Google shuts a machine down for up to 90 seconds before it deletes it. */
const LOOK_EVERY_MS = 2_000;
/** It cannot run again: its group is making another one under its name. */
const ENDS = ['STOPPING', 'TERMINATED', 'DEPROVISIONING'];

/**
 * The machines of a cluster in GCE. Each is replaced by its managed group, which makes it again under its name from the
 * group's template of now. None is detached: a group from which a machine is taken forgets how many it was to have.
 */
export function gceFleet({ cluster, instanceGroups }: Completed): Fleet {
  const gce = openGce(cluster, false);
  const roles = new Map(instanceGroups.map((group) => [group.metadata.name, roleOf(group)]));

  const listedGroups = async (signal: AbortSignal): Promise<readonly ListedGroup[]> => {
    const groups = await groupsOf(gce, signal);
    return Promise.all(groups.map(async (group) => ({ ...group, listed: await listed(group.path, signal) })));
  };
  const listed = (group: string, signal: AbortSignal): Promise<readonly ManagedMachine[]> =>
    doing(`list the machines of ${group}`, async () => {
      const found = await listByPost(gce, `${group}/listManagedInstances`, 'managedInstances', signal);
      return found.map((answer) => ({
        path: pathIn(answer.text('instance')),
        id: answer.text('id', ''),
        action: answer.text('currentAction', 'NONE'),
        template: answer.has('version') ? pathIn(answer.object('version').text('instanceTemplate', '')) : '',
      }));
    });
  const pathOf = ({ name }: FleetMachine) => {
    const [zone = '', instance = ''] = name.split('/');
    return resourcePath(gce.project, `zones/${zone}`, 'instances', instance);
  };
  /** The managed group that has this machine now, and not a later one under its name. */
  const groupOf = async (machine: FleetMachine, signal: AbortSignal): Promise<ListedGroup | undefined> =>
    (await listedGroups(signal)).find(({ listed: own }) => own.some(({ id }) => id === machine.id));
  const inTargetPools = async (verb: 'addInstance' | 'removeInstance', machine: FleetMachine, signal: AbortSignal) => {
    const group = await groupOf(machine, signal);
    const body = { instances: [{ instance: pathOf(machine) }] };
    for (const pool of group?.targetPools ?? []) {
      await change(gce, { method: 'POST', path: `${pool}/${verb}`, body }, signal);
    }
  };

  return {
    async groups(signal) {
      const [groups, machines] = await Promise.all([listedGroups(signal), machinesOf(gce, signal)]);
      return fleetGroups(roles, groups, machines);
    },
    deregister: (machine, signal) =>
      doing(`take ${machine.name} out of its target pools`, async () => {
        try {
          await inTargetPools('removeInstance', machine, signal);
        } catch (thrown) {
          if (!isNotFound(thrown)) throw thrown;
        }
      }),
    register: (machine, signal) =>
      doing(`put ${machine.name} back into its target pools`, () => inTargetPools('addInstance', machine, signal)),
    delete: (machine, signal) =>
      doing(`replace ${machine.name}`, async () => {
        const path = pathOf(machine);
        const isGone = async (): Promise<boolean> => {
          const found = await read(gce, path, signal);
          return found === undefined || found.text('id') !== machine.id || ENDS.includes(found.text('status'));
        };
        if (await isGone()) return;
        const group = await groupOf(machine, signal);
        if (group === undefined) await remove(gce, path, signal);
        else if (!group.listed.some(({ id, action }) => id === machine.id && action === 'RECREATING')) {
          const body = { instances: [path] };
          await change(gce, { method: 'POST', path: `${group.path}/recreateInstances`, body }, signal);
        }
        while (!(await isGone())) await sleep(LOOK_EVERY_MS, undefined, { signal });
      }),
  };
}
