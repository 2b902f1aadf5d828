import { casesOf } from '@kopsctl/test-suite/long.ts';
import { comparesOften } from './compares-often.ts';
import type { FaultCluster } from './fault-cluster.ts';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { allHoldMark, MARK, OTHER, writeMark } from './marked-data.ts';
import { findClusterLadder } from './requirements.ts';
import type { Traffic } from './traffic.ts';
import { LEASE_MS, LONG_MS, SOON_MS } from './waits.ts';

/** A commit on its way may write the old text once more. */
const AGAIN_MS = 5_000;

keepsGuarantees(
  await findClusterLadder(),
  casesOf(['a follower'], ['the leader']).map((who) => ({
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
      await allHoldMark(cluster);
    },
  })),
);
