import { TerminateInstanceInAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { unlessGone } from '../handlers/unless-gone.ts';

/**
 * Ends a machine through its group, which then makes the next one at once instead of after a health check. Groups end no
 * detached machines, and none of their warm pools.
 */
export async function endMachine(
  { autoScaling, ec2 }: Pick<AwsCloud, 'autoScaling' | 'ec2'>,
  { machines }: Pick<FleetGroup, 'machines'>,
  InstanceId: string,
): Promise<void> {
  const isCounted = machines.some(({ id, standing }) => id === InstanceId && standing === 'counted');
  await unlessGone<unknown>(
    isCounted
      ? autoScaling.send(
          new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: false }),
        )
      : ec2.send(new TerminateInstancesCommand({ InstanceIds: [InstanceId] })),
  );
}
