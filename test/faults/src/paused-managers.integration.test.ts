import { deepEqual } from 'node:assert/strict';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import { LEASE_MS, SOON_MS } from './waits.ts';

keepsGuarantees(await findClusterLadder(), [
  {
    title: 'the leading manager is paused until another one leads, and continues',
    async harm(cluster, traffic) {
      const leading = await cluster.leadingManager();
      const from = cluster.lines.length;
      await cluster.signalManager(leading, 'SIGSTOP');
      await cluster.anotherLeads(leading, LEASE_MS);
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
      await cluster.anotherLeads(leading, LEASE_MS);
      deepEqual(await cluster.voters(), before);
      const resumed = cluster.lines.length;
      await cluster.signalManager(leading, 'SIGCONT');
      await cluster.saysOn(leading, 'lease: follow ', SOON_MS, resumed);
      // Whether that member goes or stays, there are three that vote in the end, and one leads.
      await traffic.acknowledges(50, SOON_MS);
    },
  },
]);
