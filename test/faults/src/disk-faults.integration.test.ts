import { deepEqual } from 'node:assert/strict';
import { openClients, openRoamingClient } from './clients.ts';
import { comparesOften } from './compares-often.ts';
import { whyNoFailingDisks } from './failing-disk.ts';
import type { FaultCluster } from './fault-cluster.ts';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import type { Traffic } from './traffic.ts';
import { LEASE_MS, LONG_MS, SOON_MS } from './waits.ts';

const noFailingDisks = await whyNoFailingDisks();

function elapsed(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

const MARK = 'the-text-that-all-members-hold';
const OTHER = 'the-text-that-one-member-holds';

async function writeMark(cluster: FaultCluster): Promise<void> {
  const client = await openRoamingClient(cluster.endpoints);
  await client.put('mark').value(MARK);
  client.close();
}

/** What each member holds, by itself. */
async function readMark(cluster: FaultCluster): Promise<readonly (string | null)[]> {
  const clients = await openClients(cluster.endpoints);
  const read = await Promise.all(clients.map((client) => client.get('mark').serializable(true).string()));
  for (const client of clients) client.close();
  return read;
}

keepsGuarantees(await findClusterLadder(), [
  {
    title: 'the leader is lost with its disk and recreated',
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
      await cluster.says('lease: step-down summary="the others have a quorum', SOON_MS, from);
      await cluster.says(`remove ${cluster.member(leading)} to add it again`, SOON_MS, from);
      console.log(`measured: from the empty disk until its member is removed: ${elapsed(startMs)}`);
      await traffic.acknowledges(30, SOON_MS);
    },
  },
  {
    title: 'the disk of a member turns read-only until it is replaced',
    options: { hasFailingDisks: true },
    whyNot: noFailingDisks,
    async harm(cluster, traffic) {
      const [victim = 0] = await cluster.followers();
      await cluster.failDisk(victim);
      await cluster.says(
        `remove ${cluster.member(victim)} to add it again: its disk takes no writes (EROFS)`,
        LEASE_MS,
      );
      await traffic.acknowledges(30, SOON_MS);
      await cluster.destroy(victim);
      await cluster.boot(victim);
    },
  },
  {
    title: 'the file that names the member of a volume is damaged, while its machine runs and when it starts',
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
    title: 'the database of a member is overwritten with garbage',
    async harm(cluster, traffic) {
      const [victim = 0] = await cluster.followers();
      await cluster.powerOff(victim);
      await cluster.corruptDatabase(victim);
      await cluster.startManager(victim);
      await cluster.says(`remove ${cluster.member(victim)} to add it again`, LEASE_MS);
      await traffic.acknowledges(30, SOON_MS);
    },
  },
  {
    title: 'a member that holds other data than the others is restarted',
    async harm(cluster, traffic) {
      await writeMark(cluster);
      await traffic.acknowledges(60, SOON_MS);
      const [victim = 0] = await cluster.followers();
      await cluster.hasCommitted([victim]);
      await cluster.powerOff(victim);
      await cluster.alterDatabase(victim, MARK, OTHER);
      const from = cluster.lines.length;
      await cluster.startManager(victim);
      // etcd 3.5 knows whom to compare with from a snapshot of its log alone, the first of which comes after 100,000 entries.
      // So it serves, and the leading manager compares.
      await cluster.until('the member is removed', LONG_MS, () =>
        ['its etcd does not start', 'its data differs from that of the majority'].some((why) =>
          cluster.hasSaid(`remove ${cluster.member(victim)} to add it again: ${why}`, from),
        ),
      );
      await cluster.says(`add ${cluster.member(victim)}: there are 2 of 3 members`, LONG_MS, from);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.isWhole(LONG_MS);
      deepEqual(
        await readMark(cluster),
        cluster.wanted.map(() => MARK),
      );
    },
  },
  ...(['a follower', 'the leader'] as const).map((who) => ({
    title: `the data of ${who} changes on its disk, and etcd finds it`,
    env: comparesOften,
    async harm(cluster: FaultCluster, traffic: Traffic) {
      await writeMark(cluster);
      const [follower = 0] = await cluster.followers();
      const victim = who === 'the leader' ? await cluster.leader() : follower;
      await cluster.hasCommitted([victim]);
      const from = cluster.lines.length;
      await cluster.until('etcd reports CORRUPT', LEASE_MS, async () => {
        if (cluster.hasSaid('etcd reports CORRUPT', from)) return true;
        await cluster.alterDatabase(victim, MARK, OTHER);
        return false;
      });
      await cluster.says(`remove ${cluster.member(victim)} to add it again: its data differs`, LEASE_MS);
      await cluster.says('lift the CORRUPT alarm: all members hold the same data', LONG_MS);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.isWhole(LONG_MS);
      deepEqual(
        await readMark(cluster),
        cluster.wanted.map(() => MARK),
      );
    },
  })),
  {
    title: 'a cluster that kops formed loses a disk',
    async harm(cluster, traffic) {
      for (const machine of cluster.machines) await cluster.signalManager(machine, 'SIGKILL');
      await cluster.forgetWhatKopsDoesNotKnow();
      const [victim = 0] = await cluster.followers();
      await cluster.destroy(victim);
      for (const machine of cluster.machines) await cluster.boot(machine);
      await cluster.says('write the token', SOON_MS);
      await cluster.says(`remove ${cluster.member(victim)} to add it again: its data is gone`, LEASE_MS);
      await traffic.acknowledges(30, SOON_MS);
    },
  },
  {
    title: 'the disk of a follower is full until somebody makes room',
    options: { hasSmallDisks: true },
    async harm(cluster, traffic) {
      const [victim = 0] = await cluster.followers();
      await cluster.fillDisk(victim);
      await traffic.acknowledges(200, SOON_MS);
      await cluster.freeDisk(victim);
    },
  },
]);
