import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { CloudMachine, CloudVolume } from '@kopsctl/clouds/node-cloud.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Latest } from '../latest.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { readHosts, readSettledHosts, writeHosts } from './hosts-file.ts';
import { hostRecords, planHosts } from './plan-hosts.ts';

/** Changes are heard of at once; this is for file systems that tell nothing. */
const LOOK_AGAIN_MS = 30_000;

export interface HostsEnv {
  readonly machines: Latest<CloudMachine>;
  /** Control plane only. */
  readonly volumes?: Latest<CloudVolume>;
  readonly hostsPath: string;
  readonly log: Log;
}

/** Keeps our block of /etc/hosts true, also after somebody else has edited it. */
export async function reconcileHosts(config: ProtokubeConfig, env: HostsEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  env.machines.ringOnChange(wake);
  env.volumes?.ringOnChange(wake);
  const watcher = watch(dirname(env.hostsPath), { persistent: false }, (_, name) => {
    if (name === null || name === basename(env.hostsPath)) wake.ring();
  });
  watcher.on('error', () => wake.ring());
  try {
    while (!signal.aborted) {
      const machines = env.machines.items;
      const volumes = env.volumes === undefined ? [] : env.volumes.items;
      // Until the cloud has answered, the block of the last boot is the best that is known.
      if (machines !== undefined && volumes !== undefined) {
        const records = hostRecords(config, machines, volumes);
        const plan = (current: string): string | undefined => planHosts(current, records, config.address);
        // Read with patience only where something is to be changed.
        const isTrue = plan(await readHosts(env.hostsPath)) === undefined;
        const wanted = isTrue ? undefined : plan(await readSettledHosts(env.hostsPath, signal));
        if (wanted !== undefined) {
          const how = await writeHosts(env.hostsPath, wanted);
          env.log.info(
            `${how}: ${records.map(({ name, addresses }) => `${name}=${addresses.join(',')}`).join(' ') || 'no records'}`,
          );
        }
      }
      await wake.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    watcher.close();
  }
}
