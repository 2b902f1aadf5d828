import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { staticPodApiServer } from '@kopsctl/agent/api-server.ts';
import { runEtcdCluster } from '@kopsctl/etcd-manager/run-etcd-cluster.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { detachedUnits } from './detached-units.ts';
import { pauseInGap } from './pause-in-gap.ts';
import { shiftClock } from './shifted-clock.ts';
import { harmedStore, harmOf } from './store-harm.ts';

/** The settings of a manager that a test starts as a process of its own. */
export interface ManagerSettings {
  readonly cluster: string;
  readonly address: string;
  readonly storeUrl: string;
  readonly unitsFolder: string;
  /** The folder with the manifest of the API server, which runs exactly while the manifest exists. */
  readonly manifestsFolder: string;
  readonly config: EtcdClusterConfig;
  /** Written by the test while the manager runs: how the store misbehaves. */
  readonly storeHarmFile: string;
  /** Written by the test while the manager runs: how wrong the clock is, in milliseconds. */
  readonly clockFile: string;
  /** While this file exists, the manager stops before its next change (pause-in-gap.ts). */
  readonly gapFile: string;
}

// Usage: manager-process.ts SETTINGS.json. It runs the etcd-manager of one machine, with an etcd that outlives it.
async function main(file: string): Promise<void> {
  // FaultCluster.startManager has written the file from an object of this type.
  const settings = JSON.parse(await readFile(file, 'utf8')) as ManagerSettings;
  shiftClock(settings.clockFile);
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  const store = await openStore(settings.storeUrl, process.env);
  const gap = pauseInGap(
    harmedStore(store, () => harmOf(settings.storeHarmFile)),
    settings.gapFile,
  );
  const manifest = join(settings.manifestsFolder, 'kube-apiserver.manifest');
  await runEtcdCluster(
    settings.config,
    {
      cluster: settings.cluster,
      address: settings.address,
      store: gap.store,
      units: detachedUnits(settings.unitsFolder),
      apiServer: staticPodApiServer({
        manifest,
        heldFolder: join(settings.manifestsFolder, '..', 'held'),
        processNames: async () => (existsSync(manifest) ? ['kube-apiserver'] : []),
      }),
      log: makeLog(
        (line) => {
          process.stdout.write(line);
          gap.hear(line);
        },
        false,
        'etcd-manager',
      ),
    },
    ended.signal,
  );
}

// Not awaited: a program with a top-level await cannot be made into one of CommonJS.
void main(process.argv[2] ?? '');
