import { existsSync, watch } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { CloudVolume, NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import type { EtcdVolumeMount, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { check, deviceNumber, format, letGo, lookAt, mount, mounts } from './block-device.ts';
import type { FormatRecord } from './format-record.ts';
import { parseMemberFile } from './member-file.ts';
import type { Mutex } from '@kopsctl/agent/mutex.ts';
import { claimed, planVolume, type ObservedMount, type VolumeStep } from './plan-volumes.ts';

/** A mount is checked this often even without an event, in case its device has disappeared. */
const LOOK_AGAIN_MS = 30_000;
/** When the cloud has refused every free volume, it is asked again after this time even if it reports no change. */
const REFUSED_AGAIN_MS = 3000;
/** The device node may appear before or after the cloud's answer. A watch reports it; this poll is the fallback. */
const DEVICE_POLL_MS = 250;
const DEVICE_DEADLINE_MS = 120_000;

export interface VolumesEnv {
  readonly cloud: Pick<NodeCloud, 'facts' | 'attachVolume' | 'volumes'>;
  readonly volumes: Latest<CloudVolume>;
  /** Shared by the volumes of a machine: one must not format or mount while another observes, formats and mounts. */
  readonly oneAtATime: Mutex;
  readonly formats: FormatRecord;
  /** Called with the next step; its action is `nothing` once the volume is ready. */
  readonly onStep?: (step: VolumeStep) => void;
  readonly log: Log;
}

/**
 * Claims, formats, mounts and labels the volume of one etcd cluster, and keeps it mounted.
 *
 * @param tagKeys of all etcd clusters of this machine
 */
export async function reconcileVolume(
  wanted: EtcdVolumeMount,
  tagKeys: readonly string[],
  env: VolumesEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.volumes.ringOnChange(wake);
  const { instanceId, zone } = await env.cloud.facts(signal);
  const refusals = new Map<string, string>();
  let said = '';
  const lookAndAct = async (): Promise<{ readonly step?: VolumeStep; readonly again: boolean }> => {
    const volumes = env.volumes.items;
    if (volumes === undefined) return { again: false };
    // A refusal counts until the volume changes: then it may be free.
    for (const volume of volumes) if (refusals.get(volume.id) !== refusalKey(volume)) refusals.delete(volume.id);
    const claim = (tagKey: string) => claimed(tagKey, { instanceId, volumes });
    const step = planVolume(wanted, {
      instanceId,
      zone,
      volumes,
      refused: new Set(refusals.keys()),
      mount: await observeMount(wanted, claim(wanted.tagKey)?.volume, env.formats, signal),
      heldMembers: tagKeys.flatMap((tagKey) => (tagKey === wanted.tagKey ? [] : (claim(tagKey)?.tag.member ?? []))),
    });
    env.onStep?.(step);
    if (said !== step.summary) {
      const { action, summary } = step;
      if (action === 'refuse') env.log.error(action, { summary, next: step.next });
      else env.log[action === 'let-go' ? 'error' : 'info'](action, { summary });
      said = step.summary;
    }
    return { step, again: await act(wanted, step, env, signal) };
  };
  while (!signal.aborted) {
    const { step, again } = await env.oneAtATime.run(lookAndAct);
    // These steps take long and mount nothing, so they run outside the mutex.
    if (step?.action === 'attach') await attach(step.volumeId, refusals, env, signal);
    if (step?.action === 'wait-for-device') await waitForDevice(step.device, signal);
    if (again) continue;
    await wake.wait(refusals.size > 0 ? REFUSED_AGAIN_MS : LOOK_AGAIN_MS, signal);
    refusals.clear();
  }
}

function refusalKey(volume: CloudVolume): string {
  return volume.attachedTo?.instanceId ?? 'free';
}

async function observeMount(
  wanted: EtcdVolumeMount,
  volume: CloudVolume | undefined,
  formats: FormatRecord,
  signal: AbortSignal,
): Promise<ObservedMount> {
  const all = await mounts();
  // If something was mounted over it, the last entry is the visible one.
  const here = all.findLast(({ mountPoint }) => mountPoint === wanted.mountPoint);
  const memberFile = here === undefined ? undefined : await readMember(wanted.mountPoint);
  const path = volume?.attachedTo?.device;
  const isDeviceGone = here !== undefined && !existsSync(`/sys/dev/block/${here.deviceNumber}`);
  const found = { ...(here && { mountedDevice: here.source, isDeviceGone }), ...(memberFile && { memberFile }) };
  if (path === undefined) return found;
  const number = await deviceNumber(path);
  const mountedAt = here?.deviceNumber === number ? here : all.find(({ deviceNumber }) => deviceNumber === number);
  if (number === undefined) return { ...found, device: { path, present: false } };
  if (mountedAt !== undefined) return { ...found, device: { path, present: true, mountedAt: mountedAt.mountPoint } };
  const contents = await lookAt(path, signal);
  // A device with an interrupted mkfs counts as empty: it was empty when mkfs began. What blkid recognises, or could not
  // read, is not the work of mkfs.
  const isUnknownData = contents.state === 'unclear' && contents.isUnknownData === true;
  const isHalfFormatted = isUnknownData && (await formats.wasInterrupted(volume?.id ?? ''));
  return { ...found, device: { path, present: true, contents: isHalfFormatted ? { state: 'empty' } : contents } };
}

async function readMember(mountPoint: string): Promise<MemberFile | undefined> {
  const text = await ifThere(readFile(join(mountPoint, '.member'), 'utf8'));
  return text === undefined ? undefined : parseMemberFile(text);
}

/** Carries out one step. Returns true when the volume must be observed again at once. */
async function act(wanted: EtcdVolumeMount, step: VolumeStep, env: VolumesEnv, signal: AbortSignal): Promise<boolean> {
  switch (step.action) {
    case 'attach':
    case 'wait-for-device':
      return true;
    case 'format':
      await env.formats.begin(step.volumeId);
      await format(step.device, `etcd-${wanted.etcdCluster}`, signal);
      await env.formats.end(step.volumeId);
      return true;
    case 'check-and-mount':
      // A crash can leave the record of a format that was finished. From here on the volume holds data: with the record,
      // a superblock that is damaged later would be taken for half a format.
      await env.formats.end(step.volumeId);
      await check(step.device, step.type, signal);
      await mkdir(wanted.mountPoint, { recursive: true, mode: 0o755 });
      await mount(step.device, step.type, wanted.mountPoint, signal);
      return true;
    case 'write-member':
      await replaceFile(join(wanted.mountPoint, '.member'), `${JSON.stringify(step.file)}\n`, { mode: 0o644 });
      return true;
    case 'let-go':
      await letGo(wanted.mountPoint, signal);
      return true;
    case 'wait-for-volume':
    case 'refuse':
    case 'nothing':
  }
  return false;
}

async function attach(
  volumeId: string,
  refusals: Map<string, string>,
  env: VolumesEnv,
  signal: AbortSignal,
): Promise<void> {
  const volume = env.volumes.items?.find(({ id }) => id === volumeId);
  try {
    await env.cloud.attachVolume(volumeId, signal);
  } catch (error) {
    signal.throwIfAborted();
    // Another machine was faster, or the cloud refused: try the next volume, and this one after it has changed.
    env.log.warn('volume not attached', { volumeId, error });
    if (volume !== undefined) refusals.set(volumeId, refusalKey(volume));
    return;
  }
  // Listed here, so that the next observation does not wait for the long poll.
  env.volumes.set(await env.cloud.volumes(undefined, signal));
}

async function waitForDevice(device: string, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const folder = watchQuietly(dirname(device), () => wake.ring());
  try {
    const deadline = performance.now() + DEVICE_DEADLINE_MS;
    while ((await deviceNumber(device)) === undefined) {
      if (performance.now() > deadline) {
        throw new ActionableError({
          what: `wait for ${device}`,
          why: `the cloud says it is attached, but ${basename(device)} did not appear in ${dirname(device)} within ${DEVICE_DEADLINE_MS / 1000} s`,
          next: 'compare `ls -l /dev/disk/by-id` with the device name that the cloud reports; detach and attach the volume again',
        });
      }
      await wake.wait(DEVICE_POLL_MS, signal);
    }
    // A loop device appears before its size is set, and without a size it would look empty.
    await sleep(20, undefined, { signal });
  } finally {
    folder?.close();
  }
}

/** Watches a folder that may not exist (yet). Without a watch, the fallback poll finds the device. */
function watchQuietly(folder: string, onEvent: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    watcher.on('error', onEvent);
    return watcher;
  } catch {
    return undefined;
  }
}
