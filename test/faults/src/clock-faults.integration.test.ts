import { deepEqual } from 'node:assert/strict';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import { SOON_MS } from './waits.ts';

const HOUR_MS = 60 * 60_000;

keepsGuarantees(await findClusterLadder(), [
  {
    title: 'wall clocks jump by months, and no backup is lost because of that',
    options: { env: { ETCD_MANAGER_BACKUP_INTERVAL: '1m' } },
    async harm(cluster, traffic) {
      for (let count = 0; count < 3; count += 1) await cluster.backup();
      const before = await cluster.backups();
      for (const days of [100, -100]) {
        const from = cluster.lines.length;
        for (const machine of cluster.machines) await cluster.moveClock(machine, days * 24 * HOUR_MS);
        // After each scheduled backup old ones are removed.
        await cluster.says('backup saved backup=', 3 * SOON_MS, from);
        await traffic.acknowledges(20, SOON_MS);
        deepEqual(await cluster.lostBackups(before), []);
      }
    },
  },
  {
    title: 'wall clocks jump by hours, one forward and one back',
    async harm(cluster, traffic) {
      await cluster.backup();
      const before = await cluster.backups();
      await cluster.moveClock(0, 5 * HOUR_MS);
      await cluster.moveClock(1, -5 * HOUR_MS);
      await traffic.acknowledges(20, SOON_MS);
      await cluster.backup();
      deepEqual(await cluster.lostBackups(before), []);
      await cluster.destroy(2);
      await cluster.boot(2);
      await traffic.acknowledges(20, SOON_MS);
    },
  },
]);
