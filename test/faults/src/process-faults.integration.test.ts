import { setTimeout as sleep } from 'node:timers/promises';
import { deepEqual } from 'node:assert/strict';
import { often } from '@kopsctl/test-suite/long.ts';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import { LEASE_MS, SOON_MS } from './waits.ts';

const HOUR_MS = 60 * 60_000;

keepsGuarantees(await findClusterLadder(), [
  {
    title: 'the leader is paused and continues later',
    async harm(cluster, traffic) {
      const leader = await cluster.leader();
      await cluster.signalEtcd(leader, 'SIGSTOP');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.signalEtcd(leader, 'SIGCONT');
    },
  },
  {
    title: 'a follower is paused and continues later',
    async harm(cluster, traffic) {
      const [follower = 0] = await cluster.followers();
      await cluster.signalEtcd(follower, 'SIGSTOP');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.signalEtcd(follower, 'SIGCONT');
    },
  },
  {
    title: 'one etcd is killed, then all of them at once',
    async harm(cluster, traffic) {
      await cluster.signalEtcd(await cluster.leader(), 'SIGKILL');
      await traffic.acknowledges(10, SOON_MS);
      for (const machine of cluster.machines) await cluster.signalEtcd(machine, 'SIGKILL');
    },
  },
  {
    title: 'managers are killed, with and without their etcds',
    async harm(cluster, traffic) {
      for (const machine of cluster.machines) await cluster.signalManager(machine, 'SIGKILL');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.signalEtcd(0, 'SIGKILL');
      for (const machine of cluster.machines) await cluster.startManager(machine);
    },
  },
  {
    title: 'any process is killed at any moment, even while a member is replaced',
    async harm(cluster) {
      await cluster.destroy(2);
      await cluster.boot(2);
      for (let round = 0; round < often(15, 60); round++) {
        const machine = Math.floor(Math.random() * cluster.machines.length);
        if (Math.random() < 0.5) {
          await cluster.signalEtcd(machine, 'SIGKILL');
        } else {
          await cluster.signalManager(machine, 'SIGKILL');
          await cluster.startManager(machine);
        }
        await sleep(Math.random() * 1_500);
      }
    },
  },
  {
    title: 'the leading manager is paused until another one leads, and continues',
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const from = cluster.lines.length;
      await cluster.signalManager(leading, 'SIGSTOP');
      await cluster.says('does not renew its lease', LEASE_MS, from);
      await cluster.signalManager(leading, 'SIGCONT');
      await cluster.says('lease: follow ', SOON_MS, from);
      await traffic.acknowledges(30, SOON_MS);
    },
  },
  {
    title: 'a manager is paused between its look at the lease and its change, while another one leads',
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const victim = cluster.machines.find((machine) => machine !== leading) ?? 0;
      await cluster.armGap(leading);
      const from = cluster.lines.length;
      await cluster.destroy(victim);
      await cluster.boot(victim);
      await cluster.until('it is paused', SOON_MS, () => cluster.isStopped(leading));
      await cluster.says('does not renew its lease', LEASE_MS, from);
      // Meanwhile the new leader has replaced the member that the paused manager is about to remove.
      await cluster.says(`give ${cluster.member(victim)} a vote`, LEASE_MS, from);
      // The line comes before the vote.
      await cluster.until('it votes', SOON_MS, async () => (await cluster.voters()).length === 3);
      const voters = await cluster.voters();
      const resumed = cluster.lines.length;
      await cluster.signalManager(leading, 'SIGCONT');
      // It goes on with the change that it had decided, and only then learns that another one leads.
      await cluster.saysOn(leading, 'lease: follow ', SOON_MS, resumed);
      await traffic.acknowledges(50, SOON_MS);
      deepEqual(await cluster.voters(), voters);
    },
  },
  {
    title: 'a manager is paused before it removes a member that answers again under its old id meanwhile',
    options: { machines: 4, first: 3 },
    mayMove: true,
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const victim = cluster.wanted.find((machine) => machine !== leading) ?? 0;
      await cluster.boot(3);
      await cluster.says(`wait for the leader to add etcd-${cluster.member(3)}`, SOON_MS);
      await cluster.armGap(leading);
      const from = cluster.lines.length;
      await cluster.powerOff(victim);
      await cluster.until('it is paused', LEASE_MS, () => cluster.isStopped(leading));
      const before = await cluster.voters();
      await cluster.startManager(victim);
      await cluster.saysOn(victim, 'nothing summary=serving', SOON_MS, from);
      await cluster.says('does not renew its lease', LEASE_MS, from);
      deepEqual(await cluster.voters(), before);
      const resumed = cluster.lines.length;
      await cluster.signalManager(leading, 'SIGCONT');
      await cluster.saysOn(leading, 'lease: follow ', SOON_MS, resumed);
      // Whether that member goes or stays, there are three that vote in the end, and one leads.
      await traffic.acknowledges(50, SOON_MS);
    },
  },
  {
    title: 'wall clocks jump by months, and no backup is lost because of that',
    options: { env: { ETCD_MANAGER_BACKUP_INTERVAL: '1m' } },
    async harm(cluster, traffic) {
      for (let count = 0; count < 3; count += 1) await cluster.command({ action: 'backup' }, SOON_MS);
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
      await cluster.command({ action: 'backup' }, SOON_MS);
      const before = await cluster.backups();
      await cluster.moveClock(0, 5 * HOUR_MS);
      await cluster.moveClock(1, -5 * HOUR_MS);
      await traffic.acknowledges(20, SOON_MS);
      await cluster.command({ action: 'backup' }, SOON_MS);
      deepEqual(await cluster.lostBackups(before), []);
      await cluster.destroy(2);
      await cluster.boot(2);
      await traffic.acknowledges(20, SOON_MS);
    },
  },
]);
