import { afterEach, describe, expect, test } from 'vitest';
import { openClients } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
import { violations } from './history.ts';
import { findClusterEtcds } from './requirements.ts';
import { Traffic } from './traffic.ts';

const etcds = await findClusterEtcds();

/** On two busy processors, what takes a second on an idle machine may take this long. */
const SOON_MS = 60_000;
const LONG_MS = 180_000;
/** A write with a quorum is acknowledged within a tenth of this. */
const NO_ANSWER_MS = 3_000;

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

/** Starts clients and waits until they have written. `brokenPromises` stops them. */
async function traffic(of: FaultCluster): Promise<Traffic> {
  const begun = await Traffic.start(of.endpoints);
  await begun.acknowledges(20, SOON_MS);
  return begun;
}

/** Stops the clients once they have written again. Resolves with the violations in their history. */
async function brokenPromises(at: Traffic, of: FaultCluster): Promise<readonly string[]> {
  await at.acknowledges(20, SOON_MS);
  return violations(await at.end(await of.clusterIds()));
}

async function runs(of: FaultCluster, version: string): Promise<void> {
  await of.until(`every member runs ${version}`, LONG_MS, async () => {
    const all = await Promise.all(of.wanted.map((machine) => of.status(machine)));
    return all.every((status) => status?.version === version);
  });
}

function measured(what: string, sinceMs: number): void {
  console.log(`measured: ${what}: ${((performance.now() - sinceMs) / 1000).toFixed(1)} s`);
}

describe.skipIf(etcds === undefined)('etcd', { timeout: 400_000 }, () => {
  if (etcds === undefined) return;
  const { '3.3': older, '3.4': etcd, '3.5': newer } = etcds;

  test('one member forms a cluster, and keeps its data after a power failure', async () => {
    cluster = await FaultCluster.start({ machines: 1, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
    await cluster.powerOff(0);
    await cluster.startManager(0);
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
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
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test('a cluster grows from one member to three under load, with learners first', async () => {
    cluster = await FaultCluster.start({ machines: 3, first: 1, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
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
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test('a cluster grows from one member to three and five, and shrinks to three', async () => {
    cluster = await FaultCluster.start({ machines: 5, first: 1, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
    await cluster.want([0, 1, 2]);
    for (const machine of [1, 2]) await cluster.boot(machine);
    await cluster.isWhole(LONG_MS);
    await cluster.want([0, 1, 2, 3, 4]);
    for (const machine of [3, 4]) await cluster.boot(machine);
    await cluster.isWhole(LONG_MS);
    await cluster.want([0, 1, 2]);
    await cluster.isWhole(LONG_MS);
    await cluster.says('set the data of etcd-', SOON_MS);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test('without a quorum no write is accepted, and when it is back no write is lost', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
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
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test('a machine that stands by replaces a member that is lost for good', async () => {
    cluster = await FaultCluster.start({ machines: 4, first: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    await cluster.boot(3);
    const clients = await traffic(cluster);
    await cluster.says(`wait for the leader to add etcd-${cluster.member(3)}`, SOON_MS);
    // If the lost machine led, its lease would have to run out first.
    const leading = await cluster.leadingManager();
    const lost = cluster.wanted.find((machine) => machine !== leading) ?? 0;
    const startMs = performance.now();
    await cluster.destroy(lost);
    cluster.wanted = cluster.machines.filter((machine) => machine !== lost);
    await cluster.isWhole(LONG_MS);
    measured('a member lost, with a patience of 5 s, until another one votes', startMs);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test('a restore brings back the content of the backup, and revisions continue', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    if (client === undefined) throw new Error('there is a client');
    await client.put('before').value('1');
    const saved = await cluster.command({ action: 'backup' }, SOON_MS);
    expect(saved.result).toBe('done');
    const backup = saved.message.replace('saved ', '');
    const { header } = await client.put('after').value('2').exec();
    const clusterSpec = { memberCount: 3, etcdVersion: etcd.version };
    const startMs = performance.now();
    const restored = await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
    measured('a restore of a small database, from the command to its outcome', startMs);
    expect(restored).toMatchObject({ result: 'done', message: expect.stringContaining(backup) });
    expect(restored.message).toContain('the data from before is in the backup ');
    await cluster.isWhole(SOON_MS);
    const read = await client.get('before').exec();
    expect(read.kvs[0]?.value.toString()).toBe('1');
    expect(Number(read.header.revision)).toBeGreaterThan(Number(header.revision));
    expect(await client.get('after').string()).toBe(null);
    client.close();
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test('a restore continues although every manager is killed during it', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    await client?.put('before').value('1');
    const saved = await cluster.command({ action: 'backup' }, SOON_MS);
    const backup = saved.message.replace('saved ', '');
    const clusterSpec = { memberCount: 3, etcdVersion: etcd.version };
    const restoring = cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
    for (const moment of [': hold-api-server ', ': restore ', ': switch-marker ', ': keep ']) {
      await cluster.says(moment, LONG_MS);
      for (const machine of cluster.machines) await cluster.signalManager(machine, 'SIGKILL');
      for (const machine of cluster.machines) await cluster.startManager(machine);
    }
    expect(await restoring).toMatchObject({
      result: 'done',
      message: expect.stringContaining('the data from before is in the backup '),
    });
    await cluster.isWhole(SOON_MS);
    expect(await client?.get('before').string()).toBe('1');
    client?.close();
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test('after the loss of two of three machines with their disks nothing happens by itself, and a restore brings the cluster back', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    await client?.put('before').value('1');
    const saved = await cluster.command({ action: 'backup' }, SOON_MS);
    for (const machine of [1, 2]) await cluster.destroy(machine);
    for (const machine of [1, 2]) await cluster.boot(machine);
    await cluster.says('has served before, and its data is gone', SOON_MS);
    const clusterSpec = { memberCount: 3, etcdVersion: etcd.version };
    const backup = saved.message.replace('saved ', '');
    const restored = await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
    expect(restored).toMatchObject({ result: 'done', message: expect.stringContaining(backup) });
    await cluster.isWhole(SOON_MS);
    expect(await client?.get('before').string()).toBe('1');
    client?.close();
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test('members are upgraded to the next minor version under load', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd, newer] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
    await cluster.want([0, 1, 2], newer.version);
    await runs(cluster, newer.version);
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
    // There is no way back in place: the managers say so, and what runs goes on.
    await cluster.want([0, 1, 2]);
    await cluster.says('etcd cannot be downgraded in place', SOON_MS);
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test('members are upgraded by two minor versions, one at a time, beginning with one without learners', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [older, etcd, newer] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
    await cluster.want([0, 1, 2], newer.version);
    await runs(cluster, newer.version);
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test('without a version in between, members are upgraded by backup and restore, and downgraded on request', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [older, newer] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    const { header } = (await client?.put('before').value('1').exec()) ?? {};
    await cluster.want([0, 1, 2], newer.version);
    await runs(cluster, newer.version);
    await cluster.isWhole(SOON_MS);
    const read = await client?.get('before').exec();
    expect(read?.kvs[0]?.value.toString()).toBe('1');
    expect(Number(read?.header.revision)).toBeGreaterThan(Number(header?.revision));
    await cluster.want([0, 1, 2]);
    await cluster.says('then `kopsctl etcd restore-backup BACKUP --etcd-cluster main --yes`', SOON_MS);
    const saved = await cluster.command({ action: 'backup' }, SOON_MS);
    const backup = saved.message.replace('saved ', '');
    const clusterSpec = { memberCount: 3, etcdVersion: older.version };
    expect(await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS)).toMatchObject({
      result: 'done',
    });
    await runs(cluster, older.version);
    expect(await client?.get('before').string()).toBe('1');
    client?.close();
  });
});
