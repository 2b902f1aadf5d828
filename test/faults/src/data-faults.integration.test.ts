import { deepEqual } from 'node:assert/strict';
import { openClients, openRoamingClient } from './clients.ts';
import { comparesOften } from './compares-often.ts';
import type { FaultCluster } from './fault-cluster.ts';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import type { Traffic } from './traffic.ts';
import { LEASE_MS, LONG_MS, SOON_MS } from './waits.ts';

const MARK = 'the-text-that-all-members-hold';
const OTHER = 'the-text-that-one-member-holds';

/** A commit on its way may write the old text once more. */
const AGAIN_MS = 5_000;

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
      // etcd 3.5 knows whom to compare with only from a snapshot of its log, the first of which comes after 100,000 entries. So
      // it serves, and the leading manager compares.
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
    title: `the data of ${who} changes on its disk while it serves`,
    env: comparesOften,
    async harm(cluster: FaultCluster, traffic: Traffic) {
      await writeMark(cluster);
      const [follower = 0] = await cluster.followers();
      const victim = who === 'the leader' ? await cluster.leader() : follower;
      await cluster.hasCommitted([victim]);
      const from = cluster.lines.length;
      // etcd looks every three seconds, unless its members are too busy to hash the same revision; the leading manager every minute. And
      // an etcd that serves may write elsewhere just then, so that its database cannot be read any more.
      const replaces = ['its data differs', 'its etcd does not start'].map(
        (why) => `remove ${cluster.member(victim)} to add it again: ${why}`,
      );
      const isReplaced = () => replaces.some((line) => cluster.hasSaid(line, from));
      await cluster.alterDatabase(victim, MARK, OTHER);
      let alteredMs = performance.now();
      await cluster.until('it is found', LONG_MS, async () => {
        if (isReplaced() || cluster.hasSaid('etcd reports CORRUPT', from)) return true;
        if (performance.now() - alteredMs < AGAIN_MS) return false;
        await cluster.tryAlterDatabase(victim, MARK, OTHER);
        alteredMs = performance.now();
        return false;
      });
      await cluster.until('the member is replaced', LEASE_MS, isReplaced);
      if (cluster.hasSaid('etcd reports CORRUPT', from)) {
        await cluster.says('lift the CORRUPT alarm: all members hold the same data', LONG_MS, from);
      }
      await traffic.acknowledges(30, SOON_MS);
      await cluster.isWhole(LONG_MS);
      deepEqual(
        await readMark(cluster),
        cluster.wanted.map(() => MARK),
      );
    },
  })),
]);
