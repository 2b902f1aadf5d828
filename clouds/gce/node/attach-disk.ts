import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { askAgain } from '@kopsctl/http/ask-again.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { callCompute, type Compute, type ComputeCall, explained, zonalPath, zonalUrl } from './compute.ts';
import { DISK_FIELDS, type GceDisk, isEtcdDiskOf, parseDisk } from './disks.ts';
import { type AttachedDisk, parseAttachedDisks } from './instances.ts';
import { change } from './operation.ts';
import { idInUrl, idOf, parseId, type ZonalName } from './resource-name.ts';

export interface AttachEnv {
  readonly compute: Compute;
  readonly cluster: string;
  /** This machine. */
  readonly own: ZonalName;
  readonly newRequestId: () => string;
}

/** The holder of a disk is known at once; other operations on the disk or this machine take seconds. */
const LOOK_AGAIN: Pace = { retries: 7, minTimeout: 1000, factor: 1, maxTimeout: 1000 };

/**
 * Attaches a disk of this cluster to this machine and returns the name of the attachment. A disk that is already
 * attached here is left alone. If several machines want the same disk, Google decides: it refuses a second writer.
 *
 * @throws ActionableError if another machine holds the disk, or if it is not an etcd volume of this cluster
 */
export async function attachDisk(volumeId: string, env: AttachEnv, signal: AbortSignal): Promise<string> {
  const disk = parseId(volumeId);
  if (disk.zone !== env.own.zone) {
    throw refusal(
      volumeId,
      `this machine is in ${env.own.zone}`,
      'no action is needed: a machine in its zone attaches it',
    );
  }
  return askAgain(
    () => attachOnce(disk, env, signal),
    { pace: LOOK_AGAIN, isPassing: mayPass, explain: (thrown) => explainedRefusal(volumeId, thrown) },
    signal,
  );
}

/** The disk is on its way to this machine or from it, which takes seconds. */
class OnItsWay extends Error {
  constructor() {
    super('it is being attached to or detached from this machine');
  }
}

/** If another machine was faster, or a response was lost, the current holder decides. */
const mayPass = (thrown: unknown): boolean =>
  thrown instanceof OnItsWay || (thrown instanceof GoogleRefusal && (isHeld(thrown) || isBusy(thrown)));

function explainedRefusal(volumeId: string, thrown: unknown): unknown {
  if (mayPass(thrown)) {
    const why = thrown instanceof GoogleRefusal ? thrown.said : messageOf(thrown);
    return refusal(volumeId, why, 'no action is needed: it is tried again when Google shows who holds it');
  }
  if (!(thrown instanceof GoogleRefusal)) return thrown;
  return explained(`attach the disk ${volumeId}`, { permission: RIGHTS, scope: 'compute' }, thrown);
}

async function attachOnce(disk: ZonalName, env: AttachEnv, signal: AbortSignal): Promise<string> {
  const [looked, disks] = await Promise.all([lookAt(disk, env, signal), disksHere(env, signal)]);
  const isOnItsWay = isHeldHere(looked, env.own);
  const here = deviceNameAmong(disks, idOf(disk));
  if (here !== undefined) return here;
  if (isOnItsWay) throw new OnItsWay();
  await attach(disk, env, signal);
  return disk.name;
}

const RIGHTS = 'compute.instances.attachDisk, compute.disks.use and compute.zoneOperations.get';

async function attach(disk: ZonalName, env: AttachEnv, signal: AbortSignal): Promise<void> {
  const { compute, own, newRequestId } = env;
  const query = new URLSearchParams({ requestId: newRequestId() });
  const url = `${zonalUrl(compute, 'instances', own)}/attachDisk?${query.toString()}`;
  const body = {
    source: zonalPath(compute.project, 'disks', disk),
    // The name by which udev links it.
    deviceName: disk.name,
    mode: 'READ_WRITE',
    type: 'PERSISTENT',
    autoDelete: false,
  };
  await change(compute, { place: `zones/${own.zone}`, request: { method: 'POST', url, body } }, signal);
}

/**
 * The name of the attachment.
 *
 * @throws ActionableError if the disk is attached read-only
 */
function deviceNameAmong(disks: readonly AttachedDisk[], volumeId: string): string | undefined {
  const here = disks.find(({ source }) => idInUrl(source) === volumeId);
  if (here?.mode === 'READ_ONLY') {
    throw refusal(volumeId, 'it is attached to this machine read-only', 'detach it; it is then attached again');
  }
  return here?.deviceName === '' ? undefined : here?.deviceName;
}

/** The disks attached to this machine. */
export async function disksHere(
  { compute, own }: Pick<AttachEnv, 'compute' | 'own'>,
  signal: AbortSignal,
): Promise<readonly AttachedDisk[]> {
  const call = {
    what: `list the disks of ${idOf(own)}`,
    request: { method: 'GET', url: `${zonalUrl(compute, 'instances', own)}?fields=disks(source,deviceName,mode)` },
    needs: { permission: 'compute.instances.get', scope: 'compute.readonly' },
  } as const;
  return parseAttachedDisks(await callCompute(compute, call, signal));
}

/** @throws ActionableError if it is not an etcd volume of this cluster */
async function lookAt(name: ZonalName, { compute, cluster }: AttachEnv, signal: AbortSignal): Promise<GceDisk> {
  const id = idOf(name);
  const next = `see its labels: gcloud compute disks describe ${name.name} --zone ${name.zone}`;
  const call: ComputeCall = {
    what: `read the disk ${id}`,
    request: { method: 'GET', url: `${zonalUrl(compute, 'disks', name)}?fields=${DISK_FIELDS}` },
    needs: { permission: 'compute.disks.get', scope: 'compute.readonly' },
    meaning: ({ status }) => (status === 404 ? refusal(id, 'there is no such disk', next) : undefined),
  };
  const [disk] = parseDisk(await callCompute(compute, call, signal));
  if (disk !== undefined && isEtcdDiskOf(cluster, disk)) return disk;
  const status = disk === undefined ? 'it is regional' : `its status is ${disk.status}`;
  throw refusal(id, `it is not an etcd volume of ${cluster} (${status})`, next);
}

/**
 * Whether this machine holds it.
 *
 * @throws ActionableError if another machine does
 */
function isHeldHere({ id, holders }: GceDisk, own: ZonalName): boolean {
  const elsewhere = holders.find((holder) => holder !== idOf(own));
  if (elsewhere === undefined) return holders.length > 0;
  throw refusal(id, `${elsewhere} holds it`, 'no action is needed: it is tried again when that machine releases it');
}

/** Google responds, immediately or at the end of an operation: `The disk resource … is already being used by …`. */
const isHeld = ({ reasons }: GoogleRefusal): boolean =>
  reasons.includes('resourceInUseByAnotherResource') || reasons.includes('RESOURCE_IN_USE_BY_ANOTHER_RESOURCE');

/**
 * Another operation on the disk or this machine is in progress. After a 404, one of them has just been deleted, and is
 * looked up again.
 */
const isBusy = ({ status, reasons }: GoogleRefusal): boolean =>
  status === 404 ||
  status === 409 ||
  ['resourceNotReady', 'RESOURCE_NOT_READY', 'RESOURCE_OPERATION_RATE_EXCEEDED'].some((one) => reasons.includes(one));

const refusal = (volumeId: string, why: string, next: string): ActionableError =>
  new ActionableError({ what: `attach the disk ${volumeId}`, why, next });
