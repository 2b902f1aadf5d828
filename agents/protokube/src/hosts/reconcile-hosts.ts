import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { readHosts, readSettledHosts, writeHosts } from './hosts-file.ts';
import type { NameSource } from './name-source.ts';
import { planHosts } from './plan-hosts.ts';
import { copyForPods } from './pod-hosts.ts';

/** Changes are noticed at once by a watch; this is for file systems that send no events. */
const LOOK_AGAIN_MS = 30_000;

export interface HostsEnv {
  readonly names: NameSource;
  readonly hostsPath: string;
  /** Called with the number of names. */
  readonly onNames?: (count: number) => void;
  readonly log: Log;
}

/** Keeps our block of /etc/hosts up to date, also after somebody else has edited it. */
export async function reconcileHosts(
  config: Pick<ProtokubeConfig, 'address' | 'podHosts'>,
  env: HostsEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.names.ringOnChange(wake);
  const watcher = watch(dirname(env.hostsPath), { persistent: false }, (_, name) => {
    if (name === null || name === basename(env.hostsPath)) wake.ring();
  });
  watcher.on('error', () => wake.ring());
  try {
    while (!signal.aborted) {
      const records = env.names.records();
      // Until something is known, the block of the last boot stays.
      if (records !== undefined) {
        env.onNames?.(records.length);
        const plan = (current: string): string | undefined => planHosts(current, records, config.address);
        // Waiting for the file to settle costs time, so it is done only before a change.
        const isTrue = plan(await readHosts(env.hostsPath)) === undefined;
        const wanted = isTrue ? undefined : plan(await readSettledHosts(env.hostsPath, signal));
        if (wanted !== undefined) {
          const how = await writeHosts(env.hostsPath, wanted);
          const names = records.map(({ name, addresses }) => `${name}=${addresses.join(',')}`).join(' ');
          env.log.info('hosts file written', { how, names });
        }
      }
      if (config.podHosts !== undefined) await copyForPods(env.hostsPath, config.podHosts);
      await wake.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    watcher.close();
  }
}
