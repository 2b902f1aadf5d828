import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { AttachEnv } from './attach-volume.ts';
import { Ec2Refusal } from './ec2-query.ts';

/**
 * Takes a volume from this machine. EC2 is told which machine is meant, so that one that another machine has by now
 * stays there.
 */
export async function detachVolume(
  volumeId: string,
  { ec2, instanceId }: AttachEnv,
  signal: AbortSignal,
): Promise<void> {
  try {
    await ec2.call('DetachVolume', { VolumeId: volumeId, InstanceId: instanceId }, signal);
  } catch (thrown) {
    if (!(thrown instanceof Ec2Refusal)) throw thrown;
    // Not attached, or attached elsewhere (EC2 API reference, "Error codes").
    if (thrown.code === 'IncorrectState' || thrown.code === 'InvalidAttachment.NotFound') return;
    throw new ActionableError({
      what: `detach the volume ${volumeId}`,
      why: thrown.message,
      next: 'nothing: EC2 takes it from the machine when the machine has ended',
      cause: thrown,
    });
  }
}
