import { CLOUDS, specCloud } from '@kopsctl/clouds/control.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { wishesLeftOut } from '@kopsctl/spec/left-out.ts';
import { openedPorts } from '@kopsctl/spec/opened-ports.ts';
import { bastionFields } from '@kopsctl/spec/unread/bastion-fields.ts';
import { droppedPlugins } from '@kopsctl/spec/unread/dropped-plugins.ts';
import { foreignSettings } from '@kopsctl/spec/unread/foreign-settings.ts';
import { replacedAddresses } from '@kopsctl/spec/unread/replaced-addresses.ts';
import { unreadFields } from '@kopsctl/spec/unread/unread-fields.ts';
import type { Fault } from '@kopsctl/spec/validate/fault.ts';

/** What a person is told about a valid spec each time it is planned. */
export interface Remark {
  readonly what: 'Left out' | 'Warning';
  readonly fault: Fault;
}

/** What the cloud itself would refuse of a completed spec. */
export const refusedByCloud = ({ cluster, instanceGroups }: Completed): readonly Fault[] => [
  ...(specCloud(cluster).refusals?.(cluster, instanceGroups) ?? []),
];

/**
 * Which settings have no effect, and which open a machine.
 *
 * @param completed the spec with what was inferred; the other arguments are as the user wrote them
 */
export function remarksOn(
  cluster: Cluster,
  instanceGroups: readonly InstanceGroup[],
  completed: Cluster,
): readonly Remark[] {
  const leftOut = [
    ...wishesLeftOut(completed, specCloud(completed)),
    ...droppedPlugins(cluster, completed.spec.kubernetesVersion ?? ''),
    ...replacedAddresses(cluster, completed),
    ...(specCloud(completed).leftOut?.(completed, instanceGroups) ?? []),
    ...unreadFields(cluster, instanceGroups),
    ...bastionFields(cluster, instanceGroups),
    ...foreignSettings(cluster, instanceGroups, CLOUDS),
  ];
  return [
    ...leftOut.map((fault): Remark => ({ what: 'Left out', fault })),
    ...openedPorts(cluster, instanceGroups).map((fault): Remark => ({ what: 'Warning', fault })),
  ];
}
