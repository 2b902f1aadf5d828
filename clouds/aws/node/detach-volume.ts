import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { AttachEnv } from './attach-volume.ts';
import { Ec2Refusal } from './ec2-query.ts';

/**
 * Detaches a volume from this machine. The request names the machine, so a volume that is already attached to another
 * machine stays there.
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
      next: 'no action is needed: EC2 detaches it when the machine is terminated',
      cause: thrown,
    });
  }
}
