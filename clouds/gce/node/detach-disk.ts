import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { type AttachEnv, disksHere } from './attach-disk.ts';
import { explained, zonalUrl } from './compute.ts';
import { change } from './operation.ts';
import { idInUrl } from './resource-name.ts';

/**
 * Detaches a disk from this machine, by the name of the attachment. The request names the machine, so a disk that is
 * already attached to another machine stays there.
 */
export async function detachDisk(volumeId: string, env: AttachEnv, signal: AbortSignal): Promise<void> {
  const { compute, own, newRequestId } = env;
  const here = (await disksHere(env, signal)).find(({ source }) => idInUrl(source) === volumeId);
  if (here === undefined || here.deviceName === '') return;
  const query = new URLSearchParams({ deviceName: here.deviceName, requestId: newRequestId() });
  const url = `${zonalUrl(compute, 'instances', own)}/detachDisk?${query.toString()}`;
  try {
    await change(compute, { place: `zones/${own.zone}`, request: { method: 'POST', url } }, signal);
  } catch (thrown) {
    if (!(thrown instanceof GoogleRefusal)) throw thrown;
    if (await isGone(volumeId, env, signal)) return;
    const permission = 'compute.instances.detachDisk and compute.zoneOperations.get';
    throw explained(`detach the disk ${volumeId}`, { permission, scope: 'compute' }, thrown);
  }
}

/** The disk may have been detached meanwhile; Google has no error code of its own for that. */
async function isGone(volumeId: string, env: AttachEnv, signal: AbortSignal): Promise<boolean> {
  return (await disksHere(env, signal)).every(({ source }) => idInUrl(source) !== volumeId);
}
