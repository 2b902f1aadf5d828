import { setTimeout as sleep } from 'node:timers/promises';
import { often } from '@kopsctl/test-suite/long.ts';
import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterLadder } from './requirements.ts';
import { SOON_MS } from './waits.ts';

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
]);
