import { afterEach, describe, expect, test } from 'vitest';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { brokenPromises } from './broken-promises.ts';
import { openClients } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
import { measured } from './measured.ts';
import { findClusterEtcds } from './requirements.ts';
import { Traffic } from './traffic.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

const etcds = await findClusterEtcds();

/** A write with a quorum is acknowledged within a tenth of this. */
const NO_ANSWER_MS = 3_000;

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

describe.skipIf(etcds === undefined)('etcd', { timeout: 400_000 }, () => {
  if (etcds === undefined) return;
  const { '3.4': etcd } = etcds;

  test('one member forms a cluster, and keeps its data after a power failure', async () => {
    cluster = await FaultCluster.start({ machines: 1, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await Traffic.flowing(cluster.endpoints, SOON_MS);
    await cluster.powerOff(0);
    await cluster.startManager(0);
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster, SOON_MS)).toEqual([]);
  });

  test('machines that cannot reach each other at first form one cluster later, and never a second', async () => {
    const made = await FaultCluster.make({ machines: 3, etcds: [etcd] });
    cluster = made;
    await made.network.partition(made.machines, made.machines);
    await Promise.all(made.machines.map((machine) => made.boot(machine)));
    await made.says('form a cluster of', SOON_MS);
    for (const machine of made.machines) await made.says(`start etcd-${made.member(machine)}: `, SOON_MS);
    for (const machine of cluster.machines) expect((await cluster.status(machine))?.leaderId).toBe(undefined);
    await cluster.network.heal();
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(await Traffic.flowing(cluster.endpoints, SOON_MS), cluster, SOON_MS)).toEqual([]);
  });

  test('a cluster grows from one member to three under load, with learners first', async () => {
    cluster = await FaultCluster.start({ machines: 3, first: 1, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await Traffic.flowing(cluster.endpoints, SOON_MS);
    await cluster.want([0, 1, 2]);
    for (const machine of [1, 2]) {
      const startMs = performance.now();
      await cluster.boot(machine);
      await cluster.says(`add ${cluster.member(machine)}: `, SOON_MS);
      measured('a new volume, with the start of its manager, until its member is added', startMs);
      await cluster.says(`give ${cluster.member(machine)} a vote`, SOON_MS);
      measured('until it votes', startMs);
    }
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster, SOON_MS)).toEqual([]);
  });

  test.each(casesOf([], ['five']))(
    'a cluster grows from one member to three and %s, and shrinks to three',
    async () => {
      cluster = await FaultCluster.start({ machines: 5, first: 1, etcds: [etcd] });
      await cluster.isWhole(SOON_MS);
      const clients = await Traffic.flowing(cluster.endpoints, SOON_MS);
      await cluster.want([0, 1, 2]);
      for (const machine of [1, 2]) await cluster.boot(machine);
      await cluster.isWhole(LONG_MS);
      await cluster.want([0, 1, 2, 3, 4]);
      for (const machine of [3, 4]) await cluster.boot(machine);
      await cluster.isWhole(LONG_MS);
      await cluster.want([0, 1, 2]);
      await cluster.isWhole(LONG_MS);
      await cluster.says('set the data of etcd-', SOON_MS);
      expect(await brokenPromises(clients, cluster, SOON_MS)).toEqual([]);
    },
  );

  test('without a quorum no write is accepted, and when it is back no write is lost', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await Traffic.flowing(cluster.endpoints, SOON_MS);
    const leader = await cluster.leader();
    const [other = 0, left = 0] = await cluster.followers();
    const startMs = performance.now();
    await cluster.signalEtcd(leader, 'SIGKILL');
    await clients.acknowledges(5, SOON_MS);
    measured('the leader killed, until five writes were acknowledged', startMs);
    for (const machine of [leader, other]) await cluster.powerOff(machine);
    const survivor = (await openClients(cluster.endpoints))[left];
    const lonely = survivor?.put('lonely').value('1');
    const answer = lonely?.options({ deadline: Date.now() + NO_ANSWER_MS }).exec();
    await expect(answer).rejects.toThrow(/deadline|timed out|no leader/i);
    survivor?.close();
    for (const machine of [leader, other]) await cluster.startManager(machine);
    await cluster.isWhole(LONG_MS);
    expect(await brokenPromises(clients, cluster, SOON_MS)).toEqual([]);
  });

  test('a machine that stands by replaces a member that is lost for good', async () => {
    cluster = await FaultCluster.start({ machines: 4, first: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    await cluster.boot(3);
    const clients = await Traffic.flowing(cluster.endpoints, SOON_MS);
    await cluster.says(`wait for the leader to add etcd-${cluster.member(3)}`, SOON_MS);
    // If the lost machine led, its lease would have to run out first.
    const leading = await cluster.leadingManager();
    const lost = cluster.wanted.find((machine) => machine !== leading) ?? 0;
    const startMs = performance.now();
    await cluster.destroy(lost);
    cluster.wanted = cluster.machines.filter((machine) => machine !== lost);
    await cluster.isWhole(LONG_MS);
    measured('a member lost, with a patience of 5 s, until another one votes', startMs);
    expect(await brokenPromises(clients, cluster, SOON_MS)).toEqual([]);
  });
});
