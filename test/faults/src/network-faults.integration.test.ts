import { setTimeout as sleep } from 'node:timers/promises';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import { SOON_MS } from './waits.ts';

/** Long enough for elections. */
const FAULT_MS = 4_000;

keepsGuarantees(await findClusterLadder(), [
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
    async harm(cluster, traffic) {
      const [follower = 0, ...rest] = await cluster.followers();
      await cluster.network.partition([follower], [await cluster.leader(), ...rest]);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.network.heal();
    },
  },
  {
    title: 'no member reaches another for a while',
    async harm(cluster) {
      await cluster.network.partition(cluster.machines, cluster.machines);
      await sleep(FAULT_MS);
      await cluster.network.heal();
    },
  },
  {
    title: 'two of five machines are cut off, the leader among them',
    options: { machines: 5 },
    async harm(cluster, traffic) {
      const [other = 0, ...rest] = await cluster.followers();
      await cluster.network.partition([await cluster.leader(), other], rest);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.network.heal();
    },
  },
]);
