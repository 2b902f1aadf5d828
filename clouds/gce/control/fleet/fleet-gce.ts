import { changedGroups } from '@kopsctl/model/changed-groups.ts';
import type { Fleet, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { change } from '../handlers/compute-calls.ts';
import { openGce } from '../handlers/gce-cloud.ts';
import { doing, isNotFound } from '../handlers/google-error.ts';
import { clusterTemplates } from '../handlers/instance-template.ts';
import { removeUnusedTemplates } from '../handlers/unused-templates.ts';
import { machinesOf } from '../running/machines-and-groups.ts';
import { fleetGroups, madeByKopsctl } from './fleet-groups.ts';
import { listedGroups } from './listed-groups.ts';
import { groupOfMachine, machinePath, replaceMachine } from './replace-machine.ts';
import { templateRules } from './template-rules.ts';

/**
 * The machines of a cluster in GCE. Each is replaced by its managed group, which recreates it under its name from the
 * group's current template. None is detached: a group from which a machine is taken forgets how many machines it should
 * have.
 */
export function gceFleet({ cluster, instanceGroups }: Completed): Fleet {
  const gce = openGce(cluster, false);
  const roles = new Map(instanceGroups.map((group) => [group.metadata.name, roleOf(group)]));

  const inTargetPools = async (verb: 'addInstance' | 'removeInstance', machine: FleetMachine, signal: AbortSignal) => {
    const group = await groupOfMachine(gce, machine, signal);
    const body = { instances: [{ instance: machinePath(gce, machine.name) }] };
    for (const pool of group?.targetPools ?? []) {
      await change(gce, { method: 'POST', path: `${pool}/${verb}`, body }, signal);
    }
  };

  return {
    async groups(signal) {
      const [groups, machines] = await Promise.all([listedGroups(gce, signal), machinesOf(gce, signal)]);
      return fleetGroups(roles, groups, machines);
    },
    changedGroups: (planned) => changedGroups(instanceGroups, planned, templateRules(gce.clusterName)),
    madeByKopsctl: (signal) =>
      doing(`list what machines of ${gce.clusterName} start`, async () => {
        const [groups, templates] = await Promise.all([listedGroups(gce, signal), clusterTemplates(gce, signal)]);
        const ours = templates.filter(({ startsKopsctl }) => startsKopsctl).map(({ path }) => path);
        return madeByKopsctl(groups, new Set<string>(ours));
      }),
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
    reusesNames: true,
    delete: (machine, signal) => replaceMachine(gce, machine, signal),
    async tidy(signal) {
      for (const group of roles.keys()) await removeUnusedTemplates(gce, group, signal);
    },
  };
}
