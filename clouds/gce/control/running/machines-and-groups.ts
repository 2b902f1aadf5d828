import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { INSTANCE_FIELDS, machinesAmong, parseInstance } from '../../node/instances.ts';
import { CLUSTER_LABEL, clusterLabel } from '../../node/labels.ts';
import { list, nameIn } from '../handlers/compute-calls.ts';
import type { GceCloud } from '../handlers/gce-cloud.ts';
import { doing } from '../handlers/google-error.ts';
import { clusterGroups, type ManagedGroup } from '../handlers/cluster-groups.ts';

/** A machine as people see it. */
export interface GceMachine extends CloudMachine {
  readonly machineType: string;
}

/** The machines of the cluster, in all zones. */
export function machinesOf(gce: GceCloud, signal: AbortSignal): Promise<readonly GceMachine[]> {
  const { project, clusterName } = gce;
  const filter = `labels.${CLUSTER_LABEL} = "${clusterLabel(clusterName)}"`;
  // Agents have no use for the type of a machine.
  const fields = `${INSTANCE_FIELDS},machineType`;
  const listing = { project, place: 'aggregated', collection: 'instances', fields, filter } as const;
  return doing(`list the machines of ${clusterName}`, async () => {
    const answers = await list(gce, listing, signal);
    const types = new Map(
      answers.map((answer) => [parseInstance(answer).instanceId, nameIn(answer.text('machineType', ''))]),
    );
    return machinesAmong(answers.map(parseInstance), clusterName).map((machine): GceMachine => ({
      ...machine,
      machineType: types.get(machine.instanceId) ?? '',
    }));
  });
}

/** The managed groups of the cluster: one for each instance group and zone. */
export const groupsOf = (gce: GceCloud, signal: AbortSignal): Promise<readonly ManagedGroup[]> =>
  doing(`list the groups of ${gce.clusterName}`, () => clusterGroups(gce, signal));

/** How many machines each instance group should have, in all its zones. Pure. */
export function wantedSizes(groups: readonly ManagedGroup[]): Readonly<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const { instanceGroup, targetSize } of groups) sizes[instanceGroup] = (sizes[instanceGroup] ?? 0) + targetSize;
  return sizes;
}
