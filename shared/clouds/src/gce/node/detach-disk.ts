import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { type AttachEnv, disksHere } from './attach-disk.ts';
import { explained, zonalUrl } from './compute.ts';
import { change } from './operation.ts';
import { idInUrl } from './resource-name.ts';

/**
 * Takes a disk from this machine, under the name it is attached here. Google is told which machine is meant, so that
 * one that another machine has by now stays there.
 */
export async function detachDisk(volumeId: string, env: AttachEnv, signal: AbortSignal): Promise<void> {
  const { compute, own, newRequestId } = env;
  const here = (await disksHere(env, signal)).find(({ source = '' }) => idInUrl(source) === volumeId);
  if (here?.deviceName === undefined) return;
  const query = new URLSearchParams({ deviceName: here.deviceName, requestId: newRequestId() });
  const url = `${zonalUrl(compute, 'instances', own)}/detachDisk?${query.toString()}`;
  try {
    await change(compute, own.zone, { method: 'POST', url }, signal);
  } catch (thrown) {
    if (!(thrown instanceof GoogleRefusal)) throw thrown;
    if (await isGone(volumeId, env, signal)) return;
    const permission = 'compute.instances.detachDisk and compute.zoneOperations.get';
    throw explained(`detach the disk ${volumeId}`, { permission, scope: 'compute' }, thrown);
  }
}

/** Somebody else may have taken it meanwhile: what is refused then has no name of its own among Google's errors. */
async function isGone(volumeId: string, env: AttachEnv, signal: AbortSignal): Promise<boolean> {
  return (await disksHere(env, signal)).every(({ source = '' }) => idInUrl(source) !== volumeId);
}
