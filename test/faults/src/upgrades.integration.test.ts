import { afterEach, describe, expect, test } from 'vitest';
import type { TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { brokenPromises } from './broken-promises.ts';
import { openClients } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
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
  const { '3.3': older, '3.4': etcd, '3.5': newer } = etcds;

  // In CI upgrade-ladder goes through the same steps under load, from the oldest version to the newest.
  const byMinors: readonly (readonly [string, readonly [TestEtcd, ...TestEtcd[]]])[] = [
    ['the next minor version', [etcd, newer]],
    ['two minor versions, one at a time, beginning with one without learners', [older, etcd, newer]],
  ];
  test.each(casesOf([], byMinors))('members are upgraded by %s', async (_, ladder) => {
    cluster = await FaultCluster.start({ machines: 3, etcds: ladder });
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
    const backup = await cluster.backup();
    const clusterSpec = { memberCount: 3, etcdVersion: older.version };
    expect(await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS)).toMatchObject({
      result: 'done',
    });
    await cluster.runs(older.version, LONG_MS);
    expect(await client?.get('before').string()).toBe('1');
    client?.close();
  });
});
