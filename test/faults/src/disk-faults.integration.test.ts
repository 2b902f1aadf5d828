import { whyNoFailingDisks } from './failing-disk.ts';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import { LEASE_MS, SOON_MS } from './waits.ts';

const noFailingDisks = await whyNoFailingDisks();

function elapsed(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
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
