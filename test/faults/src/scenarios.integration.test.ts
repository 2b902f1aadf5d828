import { afterEach, describe, expect, test } from 'vitest';
import { openClients } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
import { violations } from './history.ts';
import { ETCD, etcdOf, isLong, whyNot } from './requirements.ts';
import { Traffic } from './traffic.ts';

const reason = await whyNot();
if (reason !== undefined) console.log(`SKIPPED: scenarios of etcd: ${reason}`);
const etcd = ETCD ?? { version: '', binDir: '' };
const older = etcdOf('3.3');
const newer = etcdOf('3.5');
if (newer === undefined) console.log('SKIPPED: upgrades: there is no etcd 3.5; test/conformance unpacks it');

/** Two processors that others keep busy: what takes a second on an idle machine may take this long. */
const SOON_MS = 60_000;
const LONG_MS = 180_000;
/** A write that could be taken would be within a tenth of this. */
const NO_ANSWER_MS = 3_000;

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

/** Clients that are at work from now on; their history is looked at by `kept`. */
async function traffic(of: FaultCluster): Promise<Traffic> {
  const begun = await Traffic.start(of.endpoints);
  await begun.acknowledges(20, SOON_MS);
  return begun;
}

/** Ends the clients once they have seen the cluster at work again. */
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

describe.skipIf(reason !== undefined)('etcd', { timeout: 400_000 }, () => {
  test('one member forms a cluster, and keeps its data when the power goes', async () => {
    cluster = await FaultCluster.start({ machines: 1, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
    await cluster.powerOff(0);
    await cluster.startManager(0);
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test('machines that cannot reach each other at first form one cluster once they can, and never a second', async () => {
    const made = await FaultCluster.make({ machines: 3, etcds: [etcd] });
    cluster = made;
    await made.network.partition(made.machines, made.machines);
    await Promise.all(made.machines.map((machine) => made.boot(machine)));
    await made.says('form the cluster of', SOON_MS);
    for (const machine of made.machines) await made.says(`start: start etcd-${made.member(machine)}`, SOON_MS);
    for (const machine of cluster.machines) expect((await cluster.status(machine))?.leaderId).toBe(undefined);
    await cluster.network.heal();
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test('one member grows to three while clients are at work, each newcomer without a vote at first', async () => {
    cluster = await FaultCluster.start({ machines: 3, first: 1, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
    await cluster.want([0, 1, 2]);
    for (const machine of [1, 2]) {
      const startMs = performance.now();
      await cluster.boot(machine);
      await cluster.says(`add: add ${cluster.member(machine)}`, SOON_MS);
      measured('a new volume, with the start of its manager, until its member is added', startMs);
      await cluster.says(`give ${cluster.member(machine)} a vote`, SOON_MS);
      measured('until it votes', startMs);
    }
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test.runIf(isLong)('a cluster goes from one member to three, five and back to three', async () => {
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

  test('without a quorum nothing is written, and with it again nothing was lost', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const clients = await traffic(cluster);
    const leader = await cluster.leader();
    const [other = 0, left = 0] = await cluster.followers();
    const startMs = performance.now();
    await cluster.signalEtcd(leader, 'SIGKILL');
    await clients.acknowledges(5, SOON_MS);
    measured('the leader killed, until five writes were taken', startMs);
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

  test('a member that is lost for good gives its place to a machine that stands by', async () => {
    cluster = await FaultCluster.start({ machines: 4, first: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    await cluster.boot(3);
    const clients = await traffic(cluster);
    await cluster.says(`wait for the leader to add etcd-${cluster.member(3)}`, SOON_MS);
    // With the manager that leads, its lease would have to run out first.
    const leading = await cluster.leadingManager();
    const lost = cluster.wanted.find((machine) => machine !== leading) ?? 0;
    const startMs = performance.now();
    await cluster.destroy(lost);
    cluster.wanted = cluster.machines.filter((machine) => machine !== lost);
    await cluster.isWhole(LONG_MS);
    measured('a member lost, with a patience of 5 s, until another one votes', startMs);
    expect(await brokenPromises(clients, cluster)).toEqual([]);
  });

  test('a restore brings back what the backup held, and revisions go on', async () => {
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
    expect(restored.message).toContain('what was there is in ');
    await cluster.isWhole(SOON_MS);
    const read = await client.get('before').exec();
    expect(read.kvs[0]?.value.toString()).toBe('1');
    expect(Number(read.header.revision)).toBeGreaterThan(Number(header.revision));
    expect(await client.get('after').string()).toBe(null);
    client.close();
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test.runIf(isLong)('a restore goes on though every manager is killed while it is under way', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    await client?.put('before').value('1');
    const saved = await cluster.command({ action: 'backup' }, SOON_MS);
    const backup = saved.message.replace('saved ', '');
    const clusterSpec = { memberCount: 3, etcdVersion: etcd.version };
    const restoring = cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
    for (const moment of ['hold-api-server: ', 'restore: restore ', 'switch-marker: ', 'keep: ']) {
      await cluster.says(moment, LONG_MS);
      for (const machine of cluster.machines) await cluster.signalManager(machine, 'SIGKILL');
      for (const machine of cluster.machines) await cluster.startManager(machine);
    }
    expect(await restoring).toMatchObject({
      result: 'done',
      message: expect.stringContaining('what was there is in '),
    });
    await cluster.isWhole(SOON_MS);
    expect(await client?.get('before').string()).toBe('1');
    client?.close();
    expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
  });

  test.runIf(isLong)(
    'two of three machines are lost with their disks: nothing is done by itself, and a restore brings the cluster back',
    async () => {
      cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
      await cluster.isWhole(SOON_MS);
      const [client] = await openClients(cluster.endpoints);
      await client?.put('before').value('1');
      const saved = await cluster.command({ action: 'backup' }, SOON_MS);
      for (const machine of [1, 2]) await cluster.destroy(machine);
      for (const machine of [1, 2]) await cluster.boot(machine);
      await cluster.says('has served before and its data is gone', SOON_MS);
      const clusterSpec = { memberCount: 3, etcdVersion: etcd.version };
      const backup = saved.message.replace('saved ', '');
      const restored = await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
      expect(restored).toMatchObject({ result: 'done', message: expect.stringContaining(backup) });
      await cluster.isWhole(SOON_MS);
      expect(await client?.get('before').string()).toBe('1');
      client?.close();
      expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
    },
  );

  test.runIf(isLong && newer !== undefined)(
    'members go to the next minor version while clients are at work',
    async () => {
      if (newer === undefined) throw new Error('there is a newer etcd');
      cluster = await FaultCluster.start({ machines: 3, etcds: [etcd, newer] });
      await cluster.isWhole(SOON_MS);
      const clients = await traffic(cluster);
      await cluster.want([0, 1, 2], newer.version);
      await runs(cluster, newer.version);
      await cluster.isWhole(SOON_MS);
      expect(await brokenPromises(clients, cluster)).toEqual([]);
      // There is no way back in place: the managers say so, and what runs goes on.
      await cluster.want([0, 1, 2]);
      await cluster.says('etcd does not go back in place', SOON_MS);
      expect(await brokenPromises(await traffic(cluster), cluster)).toEqual([]);
    },
  );

  test.runIf(isLong && older !== undefined && newer !== undefined)(
    'members go over two minor versions, from one without learners, one version at a time',
    async () => {
      if (older === undefined || newer === undefined) throw new Error('there are etcds');
      cluster = await FaultCluster.start({ machines: 3, etcds: [older, etcd, newer] });
      await cluster.isWhole(SOON_MS);
      const clients = await traffic(cluster);
      await cluster.want([0, 1, 2], newer.version);
      await runs(cluster, newer.version);
      await cluster.isWhole(SOON_MS);
      expect(await brokenPromises(clients, cluster)).toEqual([]);
    },
  );

  test.runIf(isLong && older !== undefined && newer !== undefined)(
    'where no version in between is at hand, members go up by backup and restore, and down when that is asked for',
    async () => {
      if (older === undefined || newer === undefined) throw new Error('there are etcds');
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
    },
  );
});
