import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { askAgain } from '@kopsctl/http/ask-again.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { freeDeviceName } from './device-names.ts';
import { describeAll, type Ec2Query, Ec2Refusal } from './ec2-query.ts';
import { type Attachment, type Ec2Volume, isEtcdVolumeOf, readVolumes } from './volumes.ts';
import { itemsAt, textAt } from './xml.ts';

export interface AttachEnv {
  readonly ec2: Ec2Query;
  readonly cluster: string;
  readonly instanceId: string;
}

/** Lists of EC2 lag behind by some seconds. */
const LOOK_AGAIN: Pace = { retries: 8, minTimeout: 100, factor: 2, maxTimeout: 1000 };

/**
 * Attaches a volume of this cluster to this machine and returns the name of the attachment. A volume that is already
 * attached here is left alone. If several machines want the same volume, EC2 decides.
 *
 * @throws ActionableError if another machine holds the volume, or if it is not an etcd volume of this cluster
 */
export async function attachVolume(volumeId: string, env: AttachEnv, signal: AbortSignal): Promise<string> {
  const refused = new Set<string>();
  // If another machine was faster, or the response to an earlier attempt was lost, the current holder decides.
  const mayPass = (thrown: unknown): boolean =>
    thrown instanceof Ec2Refusal && (isDeviceTaken(thrown) || isHeld(thrown));
  return askAgain(
    () => attachOnce(volumeId, refused, env, signal),
    { pace: LOOK_AGAIN, isPassing: mayPass, explain: (thrown) => explained(volumeId, thrown) },
    signal,
  );
}

/** @param refused the device names that EC2 refused, which its list of the machine's devices does not show yet */
async function attachOnce(
  volumeId: string,
  refused: Set<string>,
  env: AttachEnv,
  signal: AbortSignal,
): Promise<string> {
  const here = attachmentHere(volumeId, await lookAt(volumeId, env, signal), env);
  if (here !== undefined) return here.device;
  const device = freeDeviceName([...(await devicesTaken(env, signal)), ...refused]);
  if (device === undefined) {
    throw refusal(volumeId, 'no device name of this machine is free', 'detach volumes that are not in use');
  }
  try {
    const parameters = { VolumeId: volumeId, InstanceId: env.instanceId, Device: device };
    await env.ec2.call('AttachVolume', parameters, signal);
    return device;
  } catch (thrown) {
    if (thrown instanceof Ec2Refusal && isDeviceTaken(thrown)) refused.add(device);
    throw thrown;
  }
}

async function lookAt(volumeId: string, { ec2, cluster }: AttachEnv, signal: AbortSignal): Promise<Ec2Volume> {
  const query = { action: 'DescribeVolumes', list: 'volumeSet', filters: { 'volume-id': [volumeId] } };
  const volume = readVolumes(await describeAll(ec2, query, signal)).find(({ id }) => id === volumeId);
  if (volume !== undefined && isEtcdVolumeOf(cluster, volume)) return volume;
  throw refusal(
    volumeId,
    volume === undefined
      ? 'there is no such volume'
      : `it is not an etcd volume of ${cluster} (its state is ${volume.state})`,
    `see the volume's tags: aws ec2 describe-volumes --volume-ids ${volumeId}`,
  );
}

/** The attachment to this machine; undefined while the volume is free. */
function attachmentHere(volumeId: string, { attachments }: Ec2Volume, env: AttachEnv): Attachment | undefined {
  const elsewhere = attachments.find(({ instanceId }) => instanceId !== env.instanceId);
  if (elsewhere !== undefined) {
    throw refusal(
      volumeId,
      `${elsewhere.instanceId} holds it (${elsewhere.state})`,
      'no action is needed: it is tried again when that machine releases it',
    );
  }
  const [here] = attachments;
  if (here?.state === 'detaching') {
    throw refusal(
      volumeId,
      'it is being detached from this machine',
      'no action is needed: it is tried again when that is done',
    );
  }
  return here;
}

async function devicesTaken({ ec2, instanceId }: AttachEnv, signal: AbortSignal): Promise<readonly string[]> {
  const query = { action: 'DescribeInstances', list: 'reservationSet', filters: { 'instance-id': [instanceId] } };
  return (await describeAll(ec2, query, signal))
    .flatMap((reservation) => itemsAt(reservation, 'instancesSet'))
    .filter((instance) => textAt(instance, 'instanceId') === instanceId)
    .flatMap((instance) => itemsAt(instance, 'blockDeviceMapping'))
    .map((mapping) => textAt(mapping, 'deviceName'));
}

/** EC2: `Invalid value '/dev/xvdu' for unixDevice. Attachment point /dev/xvdu is already in use`. */
const isDeviceTaken = ({ code, message }: Ec2Refusal): boolean =>
  code === 'InvalidDevice.InUse' || (code === 'InvalidParameterValue' && /already in use/i.test(message));

const isHeld = ({ code }: Ec2Refusal): boolean => code === 'VolumeInUse' || code === 'IncorrectState';

const refusal = (volumeId: string, why: string, next: string): ActionableError =>
  new ActionableError({ what: `attach the volume ${volumeId}`, why, next });

function explained(volumeId: string, cause: unknown): unknown {
  if (!(cause instanceof Ec2Refusal)) return cause;
  if (isHeld(cause) || isDeviceTaken(cause)) {
    return refusal(volumeId, cause.message, 'no action is needed: it is tried again when EC2 shows who holds it');
  }
  return new ActionableError({
    what: `attach the volume ${volumeId}`,
    why: cause.message,
    next: /Unauthorized|AccessDenied/.test(cause.code)
      ? "the machine's role may only attach volumes to machines when both have the tags KubernetesCluster and k8s.io/role/master=1: check their tags"
      : 'see the message from EC2; the volume and the machine must be in the same zone',
    cause,
  });
}
