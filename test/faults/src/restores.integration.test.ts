import { afterEach, describe, expect, test } from 'vitest';
import { brokenPromises } from './broken-promises.ts';
import { openClients } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
import { measured } from './measured.ts';
import { findClusterEtcds } from './requirements.ts';
import { Traffic } from './traffic.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

const etcds = await findClusterEtcds();

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

describe.skipIf(etcds === undefined)('etcd', { timeout: 400_000 }, () => {
  if (etcds === undefined) return;
  const { '3.4': etcd } = etcds;

  test('a restore brings back the content of the backup, and revisions continue', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    if (client === undefined) throw new Error('there is a client');
    await client.put('before').value('1');
    const backup = await cluster.backup();
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
    expect(await brokenPromises(await Traffic.flowing(cluster.endpoints, SOON_MS), cluster, SOON_MS)).toEqual([]);
  });

  test('a restore continues although every manager is killed during it', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    await client?.put('before').value('1');
    const backup = await cluster.backup();
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
    expect(await brokenPromises(await Traffic.flowing(cluster.endpoints, SOON_MS), cluster, SOON_MS)).toEqual([]);
  });

  test('after the loss of two of three machines with their disks nothing happens by itself, and a restore brings the cluster back', async () => {
    cluster = await FaultCluster.start({ machines: 3, etcds: [etcd] });
    await cluster.isWhole(SOON_MS);
    const [client] = await openClients(cluster.endpoints);
    await client?.put('before').value('1');
    const backup = await cluster.backup();
    for (const machine of [1, 2]) await cluster.destroy(machine);
    for (const machine of [1, 2]) await cluster.boot(machine);
    await cluster.says('has served before, and its data is gone', SOON_MS);
    const clusterSpec = { memberCount: 3, etcdVersion: etcd.version };
    const restored = await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
    expect(restored).toMatchObject({ result: 'done', message: expect.stringContaining(backup) });
    await cluster.isWhole(SOON_MS);
    expect(await client?.get('before').string()).toBe('1');
    client?.close();
    expect(await brokenPromises(await Traffic.flowing(cluster.endpoints, SOON_MS), cluster, SOON_MS)).toEqual([]);
  });
});
