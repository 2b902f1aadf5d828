import { deepEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { keepsGuarantees, type Fault } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

/** Longer than a lease, so that no manager leads any more. */
const OUTAGE_MS = 40_000;

const ladder = await findClusterLadder();
const [, older, newer] = ladder ?? [];

keepsGuarantees(ladder, [
  {
    title: 'the store refuses every request for longer than a lease',
    async harm(cluster, traffic) {
      const voters = await cluster.voters();
      await cluster.harmStore({ kind: 'fails' });
      const startMs = performance.now();
      await traffic.acknowledges(30, SOON_MS);
      await cluster.signalEtcd(await cluster.leader(), 'SIGSTOP');
      await traffic.acknowledges(30, SOON_MS);
      await sleep(Math.max(0, OUTAGE_MS - (performance.now() - startMs)));
      // Nobody may change anything meanwhile.
      deepEqual(await cluster.voters(), voters);
      for (const machine of cluster.machines) await cluster.signalEtcd(machine, 'SIGCONT');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.harmStore({ kind: 'none' });
      deepEqual(await cluster.voters(), voters);
    },
  },
  {
    title: 'all etcds are killed while the store refuses requests, is slow, loses answers, and does not answer at all',
    async harm(cluster, traffic) {
      await cluster.harmStore({ kind: 'fails' });
      for (const machine of cluster.machines) await cluster.signalEtcd(machine, 'SIGKILL');
      // Each manager looks at the store, and fails, at least once.
      const from = cluster.lines.length;
      for (const machine of cluster.machines) await cluster.saysOn(machine, '503 Slow Down', SOON_MS, from);
      await cluster.harmStore({ kind: 'slow', delayMs: 500 });
      await traffic.acknowledges(10, SOON_MS);
      await cluster.harmStore({ kind: 'loses-answers' });
      await cluster.destroy(2);
      await cluster.boot(2);
      await traffic.acknowledges(10, SOON_MS);
      await cluster.harmStore({ kind: 'silent' });
      await traffic.acknowledges(30, SOON_MS);
      await cluster.harmStore({ kind: 'none' });
    },
  },
  ...casesOf([], ['records in the store are damaged']).map((title): Fault => ({
    title,
    async harm(cluster, traffic) {
      await cluster.tearStore('control/leader', SOON_MS);
      // The leading manager writes it within its first 15 seconds.
      await cluster.tearStore('control/versions.json', SOON_MS);
      await cluster.tearStore('control/etcd-cluster-created', SOON_MS);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.destroy(2);
      await cluster.boot(2);
    },
  })),
  ...(older === undefined || newer === undefined
    ? []
    : [
        {
          title: 'records in the store are damaged while another version and fewer members are wanted',
          options: { machines: 5, etcds: [older, newer] as const },
          async harm(cluster: Parameters<Fault['harm']>[0], traffic: Parameters<Fault['harm']>[1]) {
            await cluster.until('the versions of all members in the store', SOON_MS, () => cluster.knowsVersions());
            await cluster.want([0, 1, 2], newer.version);
            await cluster.tearStore('control/versions.json', SOON_MS);
            await cluster.tearStore('control/etcd-cluster-spec', SOON_MS);
            await traffic.acknowledges(30, SOON_MS);
            // Without a record there is no wish: nothing that runs was changed because of the torn records.
            deepEqual(
              await cluster.versions(),
              Array.from({ length: 5 }, () => older.version),
            );
            await cluster.want([0, 1, 2], newer.version);
            await cluster.tearStore('control/etcd-cluster-created', SOON_MS);
            await cluster.runs(newer.version, LONG_MS);
          },
        },
      ]),
]);
