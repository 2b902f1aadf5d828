import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { jittered } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { askIfThere } from '../etcd/ask-etcd.ts';
import { parseDiskHistograms, planDisk, type DiskHistograms } from './plan-disk.ts';

/** Long enough for some hundred writes, even in a quiet cluster. */
const LOOK_MS = 5 * 60_000;

/** Warns when this machine's disk is too slow for etcd, which otherwise shows only as elections and timeouts. */
export async function watchDisk(
  config: EtcdClusterConfig,
  env: { readonly address: string; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  let before: DiskHistograms | undefined;
  let last = '';
  while (!signal.aborted) {
    const text = await askIfThere(env.address, config, (etcd) => etcd.metrics(signal), signal);
    const after = text === undefined ? undefined : parseDiskHistograms(text);
    const slow = before !== undefined && after !== undefined ? planDisk(before, after).join('; ') : '';
    if (slow !== '' && slow !== last) env.log.warn('the disk is too slow for etcd', { summary: slow });
    last = slow;
    before = after;
    await sleep(jittered(LOOK_MS), undefined, { signal });
  }
}
