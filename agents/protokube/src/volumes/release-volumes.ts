import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { CloudVolume, NodeCloud } from '@kopsctl/clouds/node-cloud.ts';
import type { EtcdVolumeMount } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { mounts, unmount } from './block-device.ts';
import { claimed } from './plan-volumes.ts';

export interface ReleaseEnv {
  readonly cloud: Pick<NodeCloud, 'facts' | 'detachVolume'>;
  readonly volumes: readonly CloudVolume[];
  readonly log: Log;
}

/** etcd has ended by now, but its last write-back may be on its way. */
const BUSY_RETRY_MS = 200;

/**
 * Unmounts and detaches the volumes of a machine that goes down for good, so that the machine after it need not wait
 * for the cloud to notice. What cannot be unmounted stays attached: nothing is torn away from under a writer.
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
        log.info(`let go of ${mine.volume.id} (${mountPoint})`);
      } catch (error) {
        log.warn(`${mine.volume.id} goes only with the machine: ${messageOf(error)}`);
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
