import { TerminateInstanceInAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { explained } from '../handlers/aws-error.ts';

/** Ends an instance; its group makes another one, because it is to keep as many. */
export async function terminateInstance(aws: AwsCloud, instanceId: string, signal: AbortSignal): Promise<void> {
  const command = new TerminateInstanceInAutoScalingGroupCommand({
    InstanceId: instanceId,
    ShouldDecrementDesiredCapacity: false,
  });
  try {
    // Not repeated: the group would make one machine more only once, but an answer that was lost is an error to look at.
    await aws.autoScalingOnce.send(command, { abortSignal: signal });
  } catch (thrown) {
    throw explained(thrown, `end the instance ${instanceId}`);
  }
}
