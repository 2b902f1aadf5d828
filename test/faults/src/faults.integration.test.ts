import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { FaultCluster, type FaultClusterOptions } from './fault-cluster.ts';
import { whyNoFailingDisks } from './failing-disk.ts';
import { violations } from './history.ts';
import { ETCD, isLong, whyNot } from './requirements.ts';
import { Traffic } from './traffic.ts';

const reason = await whyNot();
const noFailingDisks = await whyNoFailingDisks();
if (noFailingDisks !== undefined) console.log(`SKIPPED: disks that fail: ${noFailingDisks}`);
if (reason !== undefined) console.log(`SKIPPED: faults of etcd: ${reason}`);

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

/** Long enough for elections to happen while clients go on. */
const FAULT_MS = 4_000;
/** Two processors that others keep busy: what takes a second on an idle machine may take this long. */
const SOON_MS = 60_000;
/** Longer than the lease of a leader that has died (30 s), with the grace of one whose etcd is unwell. */
const LEASE_MS = 90_000;
const HOUR_MS = 60 * 60_000;

function elapsed(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

interface Fault {
  readonly title: string;
  readonly options?: Partial<FaultClusterOptions>;
  readonly isLong?: boolean;
  /** Why it cannot be tried here. */
  readonly whyNot?: string | undefined;
  /** Does harm while clients are at work, and mends it. */
  readonly harm: (cluster: FaultCluster, traffic: Traffic) => Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    title: 'the leader is cut off from the others',
    async harm(cluster, traffic) {
      const leader = await cluster.leader();
      await cluster.network.partition([leader], await cluster.followers());
      await traffic.acknowledges(30, SOON_MS);
      await cluster.network.heal();
    },
  },
  {
    title: 'a follower is cut off from the others',
    isLong: true,
    async harm(cluster, traffic) {
      const [follower = 0, ...rest] = await cluster.followers();
      await cluster.network.partition([follower], [await cluster.leader(), ...rest]);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.network.heal();
    },
  },
  {
    title: 'nobody reaches anybody for a while',
    isLong: true,
    async harm(cluster) {
      await cluster.network.partition(cluster.machines, cluster.machines);
      await sleep(FAULT_MS);
      await cluster.network.heal();
    },
  },
  {
    title: 'the leader is paused and goes on later',
    async harm(cluster, traffic) {
      const leader = await cluster.leader();
      await cluster.signalEtcd(leader, 'SIGSTOP');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.signalEtcd(leader, 'SIGCONT');
    },
  },
  {
    title: 'a follower is paused and goes on later',
    isLong: true,
    async harm(cluster, traffic) {
      const [follower = 0] = await cluster.followers();
      await cluster.signalEtcd(follower, 'SIGSTOP');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.signalEtcd(follower, 'SIGCONT');
    },
  },
  {
    title: 'an etcd is killed, and all of them at once',
    async harm(cluster, traffic) {
      await cluster.signalEtcd(await cluster.leader(), 'SIGKILL');
      await traffic.acknowledges(10, SOON_MS);
      for (const machine of cluster.machines) await cluster.signalEtcd(machine, 'SIGKILL');
    },
  },
  {
    title: 'managers are killed, with their etcds and without',
    async harm(cluster, traffic) {
      for (const machine of cluster.machines) await cluster.signalManager(machine, 'SIGKILL');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.signalEtcd(0, 'SIGKILL');
      for (const machine of cluster.machines) await cluster.startManager(machine);
    },
  },
  {
    title: 'any process is killed at any moment, also while a member is replaced',
    isLong: true,
    async harm(cluster) {
      await cluster.destroy(2);
      await cluster.boot(2);
      for (let round = 0; round < 15; round++) {
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
    title: 'the manager that leads is paused until another one leads, and goes on',
    isLong: true,
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const from = cluster.lines.length;
      await cluster.signalManager(leading, 'SIGSTOP');
      await cluster.says('does not renew its lease', LEASE_MS, from);
      await cluster.signalManager(leading, 'SIGCONT');
      await cluster.says('lease: follow: ', SOON_MS, from);
      await traffic.acknowledges(30, SOON_MS);
    },
  },
  {
    title: 'the machine that leads is lost with its disk and made anew',
    async harm(cluster, traffic) {
      const victim = await cluster.leader();
      await cluster.destroy(victim);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.boot(victim);
    },
  },
  {
    title: 'the disk of the machine whose manager leads is empty after a restart',
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const startMs = performance.now();
      const from = cluster.lines.length;
      await cluster.emptyDisk(leading);
      await cluster.says('lease: step down: the others have a quorum', SOON_MS, from);
      await cluster.says(`remove ${cluster.member(leading)} to add it anew`, SOON_MS, from);
      console.log(`measured: from the empty disk to its replacement: ${elapsed(startMs)}`);
      await traffic.acknowledges(30, SOON_MS);
    },
  },
  {
    title: 'the disk of a member turns read-only, until it is exchanged',
    options: { hasFailingDisks: true },
    whyNot: noFailingDisks,
    async harm(cluster, traffic) {
      const [victim = 0] = await cluster.followers();
      await cluster.failDisk(victim);
      await cluster.says(`remove ${cluster.member(victim)} to add it anew: its disk takes no writes (EROFS)`, LEASE_MS);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.destroy(victim);
      await cluster.boot(victim);
    },
  },
  {
    title: 'the file that says which member a volume holds is torn, while its machine runs and when it starts',
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const torn = await cluster.tearMemberFile(leading);
      await cluster.says('cannot read which member', SOON_MS);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.powerOff(leading);
      await cluster.startManager(leading);
      await traffic.acknowledges(30, SOON_MS);
      await torn.mend();
    },
  },
  {
    title: 'a manager is paused between its look at the lease and its change, and another one leads meanwhile',
    isLong: true,
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const victim = cluster.machines.find((machine) => machine !== leading) ?? 0;
      await cluster.armGap(leading);
      const from = cluster.lines.length;
      await cluster.destroy(victim);
      await cluster.boot(victim);
      await cluster.until('it is paused', SOON_MS, () => cluster.isStopped(leading));
      await cluster.says('does not renew its lease', LEASE_MS, from);
      // The other one does the same meanwhile: the member that the paused one is about to remove has been made anew.
      await cluster.says(`give ${cluster.member(victim)} a vote`, LEASE_MS, from);
      await cluster.signalManager(leading, 'SIGCONT');
      await cluster.says(`${cluster.member(leading)}| `, SOON_MS, cluster.lines.length);
      await traffic.acknowledges(50, SOON_MS);
    },
  },
  {
    title: 'the database of a member holds nothing but rubbish',
    isLong: true,
    async harm(cluster, traffic) {
      const [victim = 0] = await cluster.followers();
      await cluster.powerOff(victim);
      await cluster.corruptDatabase(victim);
      await cluster.startManager(victim);
      await cluster.says(`remove ${cluster.member(victim)} to add it anew`, LEASE_MS);
      await traffic.acknowledges(30, SOON_MS);
    },
  },
  {
    title: 'the store refuses, is slow, loses answers, and answers nothing at all',
    async harm(cluster, traffic) {
      await cluster.harmStore({ kind: 'fails' });
      for (const machine of cluster.machines) await cluster.signalEtcd(machine, 'SIGKILL');
      // A manager that knows what it is to run starts it whatever the store does.
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
  {
    title: 'wall clocks jump by hours, one forth and one back',
    isLong: true,
    async harm(cluster, traffic) {
      await cluster.moveClock(0, 5 * HOUR_MS);
      await cluster.moveClock(1, -5 * HOUR_MS);
      await traffic.acknowledges(20, SOON_MS);
      await cluster.destroy(2);
      await cluster.boot(2);
      await traffic.acknowledges(20, SOON_MS);
    },
  },
  {
    title: 'the disk of a follower is full, until somebody makes room',
    options: { hasSmallDisks: true },
    async harm(cluster, traffic) {
      const [victim = 0] = await cluster.followers();
      await cluster.fillDisk(victim);
      await traffic.acknowledges(200, SOON_MS);
      await cluster.freeDisk(victim);
    },
  },
  {
    title: 'records in the store are torn',
    isLong: true,
    async harm(cluster, traffic) {
      // The manager that leads writes down who runs what within its first quarter of a minute.
      await cluster.says('version: record: ', SOON_MS);
      await cluster.tearStore('control/leader');
      await cluster.tearStore('control/versions.json');
      await cluster.tearStore('control/etcd-cluster-created');
      await traffic.acknowledges(30, SOON_MS);
      await cluster.destroy(2);
      await cluster.boot(2);
    },
  },
  {
    title: 'two of five machines are cut off, with the leader among them',
    options: { machines: 5 },
    isLong: true,
    async harm(cluster, traffic) {
      const [other = 0, ...rest] = await cluster.followers();
      await cluster.network.partition([await cluster.leader(), other], rest);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.network.heal();
    },
  },
];

describe.skipIf(reason !== undefined)('etcd keeps its promises to clients while', () => {
  test.each(FAULTS.filter((fault) => (isLong || fault.isLong !== true) && fault.whyNot === undefined))(
    '$title',
    async ({ options, harm }) => {
      if (ETCD === undefined) throw new Error('there is an etcd');
      cluster = await FaultCluster.start({ machines: 3, etcds: [ETCD], ...options });
      await cluster.isWhole(SOON_MS);
      const traffic = await Traffic.start(cluster.endpoints);
      await traffic.acknowledges(20, SOON_MS);
      await harm(cluster, traffic);
      await cluster.isWhole(2 * LEASE_MS);
      await traffic.acknowledges(20, SOON_MS);
      const history = await traffic.end(await cluster.clusterIds());
      expect(violations(history)).toEqual([]);
    },
    400_000,
  );
});
