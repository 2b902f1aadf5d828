import type { GceCloud } from '../handlers/gce-cloud.ts';
import { managedMachines } from '../handlers/managed-machines.ts';
import { groupsOf } from '../running/machines-and-groups.ts';
import type { ListedGroup } from './fleet-groups.ts';

/** The managed groups of the cluster with their machines. */
export async function listedGroups(gce: GceCloud, signal: AbortSignal): Promise<readonly ListedGroup[]> {
  const groups = await groupsOf(gce, signal);
  return Promise.all(
    groups.map(async (group) => ({ ...group, listed: await managedMachines(gce, group.path, signal) })),
  );
}
