import { afterEach, describe, expect, test } from 'vitest';
import { brokenPromises } from './broken-promises.ts';
import { openClients } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
import { findClusterEtcds, findClusterLadder } from './requirements.ts';
import { Traffic } from './traffic.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

const etcds = await findClusterEtcds();
const ladder = await findClusterLadder();
/** Enough that a count tells of a loss, and few enough to be written in a second. */
const KEYS = 200;

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

describe.skipIf(etcds === undefined)('etcd', { timeout: 400_000 }, () => {
  if (etcds === undefined) return;
  const { '3.3': older, '3.4': etcd, '3.5': newer } = etcds;

  test('members are upgraded to the next minor version under load', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd, newer] });
    await cluster.isWhole(SOON_MS);
    const clients = await Traffic.flowing(cluster.endpoints, SOON_MS);
    await cluster.want([0, 1, 2], newer.version);
    await cluster.runs(newer.version, LONG_MS);
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster, SOON_MS)).toEqual([]);
    // There is no way back in place: the managers say so, and what runs goes on.
    await cluster.want([0, 1, 2]);
    await cluster.says('etcd cannot be downgraded in place', SOON_MS);
    expect(await brokenPromises(await Traffic.flowing(cluster.endpoints, SOON_MS), cluster, SOON_MS)).toEqual([]);
  });

  test('members are upgraded by two minor versions, one at a time, beginning with one without learners', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [older, etcd, newer] });
    await cluster.isWhole(SOON_MS);
    const clients = await Traffic.flowing(cluster.endpoints, SOON_MS);
    await cluster.want([0, 1, 2], newer.version);
    await cluster.runs(newer.version, LONG_MS);
    await cluster.isWhole(SOON_MS);
    expect(await brokenPromises(clients, cluster, SOON_MS)).toEqual([]);
  });

  test('without a version in between, members are upgraded by backup and restore, and downgraded on request', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [older, newer] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    const { header } = (await client?.put('before').value('1').exec()) ?? {};
    await cluster.want([0, 1, 2], newer.version);
    await cluster.runs(newer.version, LONG_MS);
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
    await cluster.runs(older.version, LONG_MS);
    expect(await client?.get('before').string()).toBe('1');
    client?.close();
  });
});

describe.skipIf(ladder === undefined)('etcd', { timeout: 1_800_000 }, () => {
  if (ladder === undefined) return;
  const [first, ...others] = ladder;

  test('members are upgraded from 3.3 to 3.7, one minor version at a time, with a backup before each and nothing lost', async () => {
    const upgraded = await FaultCluster.start({ machines: 3, etcds: ladder });
    cluster = upgraded;
    await upgraded.isWhole(SOON_MS);
    const [client] = await openClients(upgraded.endpoints);
    if (client === undefined) throw new Error('there is a client');
    for (let key = 0; key < KEYS; key += 1) await client.put(`kept/${key}`).value(`${key}`);
    const traffic = await Traffic.flowing(upgraded.endpoints, SOON_MS);
    let from: string = first.version;
    for (const { version } of others) {
      const before = await upgraded.backups();
      const lines = upgraded.lines.length;
      await upgraded.want([0, 1, 2], version);
      await upgraded.runs(version, 2 * LONG_MS);
      await upgraded.isWhole(LONG_MS);
      await traffic.acknowledges(30, SOON_MS);
      const kept = await client.getAll().prefix('kept/').strings();
      expect(kept).toEqual(Object.fromEntries(Array.from({ length: KEYS }, (_, key) => [`kept/${key}`, `${key}`])));
      // One for each member: it was taken before that member went on.
      const since = await upgraded.backups();
      expect(since.length - before.length).toBeGreaterThanOrEqual(3);
      for (const machine of upgraded.machines) {
        const name = upgraded.member(machine);
        await upgraded.says(`${name} goes from ${from} to ${version}`, SOON_MS, lines);
      }
      from = version;
    }
    client.close();
    expect(await brokenPromises(traffic, upgraded, SOON_MS)).toEqual([]);
    // What came through all of them can be restored.
    const saved = await upgraded.command({ action: 'backup' }, SOON_MS);
    const backup = saved.message.replace('saved ', '');
    expect(await upgraded.command({ action: 'verify', backup }, LONG_MS)).toMatchObject({ result: 'done' });
  });

  test('an early 3.5 goes by way of 3.5.26 or newer before it goes to 3.6', async () => {
    const early = etcds?.['3.5'];
    const [current, next] = others.slice(1);
    if (early === undefined || current === undefined || next === undefined)
      throw new Error('unreachable: all are there');
    const upgraded = await FaultCluster.start({ machines: 3, etcds: [early, current, next] });
    cluster = upgraded;
    await upgraded.isWhole(SOON_MS);
    const traffic = await Traffic.flowing(upgraded.endpoints, SOON_MS);
    const from = upgraded.lines.length;
    await upgraded.want([0, 1, 2], next.version);
    await upgraded.runs(next.version, 2 * LONG_MS);
    await upgraded.isWhole(LONG_MS);
    const allowed = upgraded.lines.slice(from).filter((line) => line.includes(' goes from '));
    expect(allowed.some((line) => line.includes(`from ${early.version} to ${next.version}`))).toBe(false);
    expect(await brokenPromises(traffic, upgraded, SOON_MS)).toEqual([]);
  });
});
