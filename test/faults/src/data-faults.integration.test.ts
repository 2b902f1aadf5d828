import { keepsGuarantees } from './keeps-guarantees.ts';
import { allHoldMark, MARK, OTHER, writeMark } from './marked-data.ts';
import { findClusterLadder } from './requirements.ts';
import { LEASE_MS, LONG_MS, SOON_MS } from './waits.ts';

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
    // Equal data may have different hashes before, so the leading manager does not compare.
    since: '3.5.16',
    async harm(cluster, traffic) {
      await writeMark(cluster);
      await traffic.acknowledges(60, SOON_MS);
      const [victim = 0] = await cluster.followers();
      await cluster.hasCommitted([victim]);
      await cluster.powerOff(victim);
      await cluster.alterDatabase(victim, MARK, OTHER);
      const from = cluster.lines.length;
      await cluster.startManager(victim);
      // Up to 3.5, etcd knows whom to compare with only from a snapshot of its log, the first of which comes after 100,000
      // entries. So it serves, and the leading manager compares.
      await cluster.until('the member is removed', LONG_MS, () =>
        ['its etcd does not start', 'its data differs from that of the majority'].some((why) =>
          cluster.hasSaid(`remove ${cluster.member(victim)} to add it again: ${why}`, from),
        ),
      );
      await cluster.says(`add ${cluster.member(victim)}: there are 2 of 3 members`, LONG_MS, from);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.isWhole(LONG_MS);
      await allHoldMark(cluster);
    },
  },
]);
