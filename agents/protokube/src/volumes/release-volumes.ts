import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudVolume, NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import type { EtcdVolumeMount } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { mounts, unmount } from './block-device.ts';
import { claimed } from './plan-volumes.ts';

export interface ReleaseEnv {
  readonly cloud: Pick<NodeCloud, 'facts' | 'detachVolume'>;
  readonly volumes: readonly CloudVolume[];
  readonly log: Log;
}

/** etcd has ended by now, but its last writes may not have reached the device yet. */
const BUSY_RETRY_MS = 200;

/**
 * Unmounts and detaches the volumes of a machine that is shut down for good, so that its replacement need not wait until
 * the cloud notices. A volume that cannot be unmounted stays attached, because something may still write to it.
 */
export async function releaseVolumes(
  wanted: readonly EtcdVolumeMount[],
  { cloud, volumes, log }: ReleaseEnv,
  signal: AbortSignal,
): Promise<void> {
  const { instanceId } = await cloud.facts(signal);
  await Promise.all(
    wanted.map(async ({ tagKey, mountPoint }) => {
      const mine = claimed(tagKey, { instanceId, volumes });
      if (mine === undefined) return;
      try {
        await unmountOnceIdle(mountPoint, signal);
        await cloud.detachVolume(mine.volume.id, signal);
        log.info('volume detached', { volumeId: mine.volume.id, mountPoint });
      } catch (error) {
        log.warn('volume stays attached until the machine is gone', { volumeId: mine.volume.id, error });
      }
    }),
  );
}

async function unmountOnceIdle(mountPoint: string, signal: AbortSignal): Promise<void> {
  let why: unknown;
  while ((await mounts()).some((mount) => mount.mountPoint === mountPoint)) {
    if (signal.aborted) throw why ?? signal.reason;
    try {
      await unmount(mountPoint, signal);
    } catch (error) {
      why = error;
      await sleep(BUSY_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
