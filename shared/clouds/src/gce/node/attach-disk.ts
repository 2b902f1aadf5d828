import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { callCompute, type Compute, type ComputeCall, explained, zonalPath, zonalUrl } from './compute.ts';
import { DISK_FIELDS, type DiskAnswer, type GceDisk, isEtcdDiskOf, readDisk } from './disks.ts';
import type { AttachedDisk } from './instances.ts';
import { change } from './operation.ts';
import { idInUrl, idOf, parseId, type ZonalName } from './resource-name.ts';

export interface AttachEnv {
  readonly compute: Compute;
  readonly cluster: string;
  /** This machine. */
  readonly own: ZonalName;
  readonly newRequestId: () => string;
}

/** Who holds a disk is known at once; what still goes on with it or with this machine takes seconds. */
const TRIES = 8;
const LOOK_AGAIN_MS = 1000;

/**
 * Attaches a disk of this cluster to this machine and returns the name it is attached under. One that is attached here
 * already is left as it is. Google is what decides between machines that want the same one: a second writer is refused.
 *
 * @throws ActionableError while another machine holds it, and for what is no etcd volume of this cluster
 */
export async function attachDisk(volumeId: string, env: AttachEnv, signal: AbortSignal): Promise<string> {
  const disk = parseId(volumeId);
  if (disk.zone !== env.own.zone) {
    throw refusal(volumeId, `this machine is in ${env.own.zone}`, 'nothing: a machine of its zone takes it');
  }
  let why = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (attempt > 1) await sleep(LOOK_AGAIN_MS, undefined, { signal });
    const [looked, disks] = await Promise.all([lookAt(disk, env, signal), disksHere(env, signal)]);
    const isOnItsWay = isHeldHere(looked, env.own);
    const here = deviceNameAmong(disks, volumeId);
    if (here !== undefined) return here;
    if (isOnItsWay) {
      why = 'it is on its way to or from this machine';
      continue;
    }
    try {
      await attach(disk, env, signal);
      return disk.name;
    } catch (thrown) {
      if (!(thrown instanceof GoogleRefusal)) throw thrown;
      why = thrown.said;
      // Another machine was faster, or an answer got lost: who holds it now decides.
      if (!isHeld(thrown) && !isBusy(thrown)) {
        throw explained(`attach the disk ${volumeId}`, { permission: RIGHTS, scope: 'compute' }, thrown);
      }
    }
  }
  throw refusal(volumeId, why, 'nothing: it is tried again when Google shows who holds it');
}

const RIGHTS = 'compute.instances.attachDisk, compute.disks.use and compute.zoneOperations.get';

async function attach(disk: ZonalName, env: AttachEnv, signal: AbortSignal): Promise<void> {
  const { compute, own, newRequestId } = env;
  const query = new URLSearchParams({ requestId: newRequestId() });
  const url = `${zonalUrl(compute, 'instances', own)}/attachDisk?${query.toString()}`;
  const body = {
    source: zonalPath(compute.project, 'disks', disk),
    // The name under which udev shows it.
    deviceName: disk.name,
    mode: 'READ_WRITE',
    type: 'PERSISTENT',
    autoDelete: false,
  };
  await change(compute, own.zone, { method: 'POST', url, body }, signal);
}

/** The name that it is attached under. @throws ActionableError where it may only be read */
function deviceNameAmong(disks: readonly AttachedDisk[], volumeId: string): string | undefined {
  const here = disks.find(({ source = '' }) => idInUrl(source) === volumeId);
  if (here?.mode === 'READ_ONLY') {
    throw refusal(volumeId, 'this machine holds it, but may only read it', 'detach it: it is attached anew');
  }
  return here?.deviceName;
}

/** What this machine holds. */
export async function disksHere(
  { compute, own }: Pick<AttachEnv, 'compute' | 'own'>,
  signal: AbortSignal,
): Promise<readonly AttachedDisk[]> {
  const call = {
    what: `see which disks ${idOf(own)} holds`,
    request: { method: 'GET', url: `${zonalUrl(compute, 'instances', own)}?fields=disks(source,deviceName,mode)` },
    needs: { permission: 'compute.instances.get', scope: 'compute.readonly' },
  } as const;
  // Google's own schema says so; a machine without disks has no such field.
  const { disks = [] } = (await callCompute(compute, call, signal)) as { readonly disks?: readonly AttachedDisk[] };
  return disks;
}

/** @throws ActionableError for what is no etcd volume of this cluster */
async function lookAt(name: ZonalName, { compute, cluster }: AttachEnv, signal: AbortSignal): Promise<GceDisk> {
  const id = idOf(name);
  const next = `see its labels: gcloud compute disks describe ${name.name} --zone ${name.zone}`;
  const call: ComputeCall = {
    what: `look at the disk ${id}`,
    request: { method: 'GET', url: `${zonalUrl(compute, 'disks', name)}?fields=${DISK_FIELDS}` },
    needs: { permission: 'compute.disks.get', scope: 'compute.readonly' },
    meaning: ({ status }) => (status === 404 ? refusal(id, 'there is no such disk', next) : undefined),
  };
  // Google's own schema says so.
  const answer = (await callCompute(compute, call, signal)) as DiskAnswer;
  const [disk] = readDisk(answer);
  if (disk !== undefined && isEtcdDiskOf(cluster, disk)) return disk;
  throw refusal(id, `it is no etcd volume of ${cluster} (it is ${answer.status})`, next);
}

/** Whether this machine holds it. @throws ActionableError while another one does */
function isHeldHere({ id, holders }: GceDisk, own: ZonalName): boolean {
  const elsewhere = holders.find((holder) => holder !== idOf(own));
  if (elsewhere === undefined) return holders.length > 0;
  throw refusal(id, `${elsewhere} holds it`, 'nothing: it is tried again when that machine lets it go');
}

/** Google, at once and as the end of an operation: `The disk resource … is already being used by …`. */
const isHeld = ({ reasons }: GoogleRefusal): boolean =>
  reasons.includes('resourceInUseByAnotherResource') || reasons.includes('RESOURCE_IN_USE_BY_ANOTHER_RESOURCE');

/** Something else goes on with the disk or with this machine. A 404: one of them has just gone, and is looked for again. */
const isBusy = ({ status, reasons }: GoogleRefusal): boolean =>
  status === 404 ||
  status === 409 ||
  ['resourceNotReady', 'RESOURCE_NOT_READY', 'RESOURCE_OPERATION_RATE_EXCEEDED'].some((one) => reasons.includes(one));

const refusal = (volumeId: string, why: string, next: string): ActionableError =>
  new ActionableError({ what: `attach the disk ${volumeId}`, why, next });
