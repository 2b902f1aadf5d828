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

/** What a test tells a manager that it starts as a process of its own. */
export interface ManagerSettings {
  readonly cluster: string;
  readonly address: string;
  readonly storeUrl: string;
  readonly unitsFolder: string;
  /** Where a manifest stands for an API server: one that runs, as long as it is there. */
  readonly manifestsFolder: string;
  readonly config: EtcdClusterConfig;
  /** Files that a test writes while the manager runs: what the store does to it, and how wrong its clock is. */
  readonly storeHarmFile: string;
  readonly clockFile: string;
  /** While it is there, the next change that is fenced stops the manager (see pause-in-gap.ts). */
  readonly gapFile: string;
}

/** `manager-process.ts SETTINGS.json`: one machine's etcd-manager, with etcds that outlive it. */
const settings = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as ManagerSettings;
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
