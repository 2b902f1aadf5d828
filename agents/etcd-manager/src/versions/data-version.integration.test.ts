import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ETCD_MINORS, findTestEtcds } from '@kopsctl/test-peers/etcd.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withThrowAwayEtcd } from '../backup/throw-away-etcd.ts';
import { withBoltFile } from '../restore/bolt/bolt-file.ts';
import { dataVersion } from './data-version.ts';

const etcds = await findTestEtcds();

describe.skipIf(etcds === undefined).each(ETCD_MINORS)('etcd %s', (minor) => {
  if (etcds === undefined) return;
  const { binDir } = etcds[minor];
  let folder: string;
  let database: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-data-version-'));
    database = join(folder, 'member', 'snap', 'db');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('its data names its minor version, once the cluster has agreed on it', async () => {
    await withThrowAwayEtcd(
      { binDir, dataDir: folder },
      async () => {
        await expect.poll(() => dataVersion(database), { timeout: 30_000 }).toBe(`${minor}.0`);
      },
      AbortSignal.timeout(60_000),
    );
  });

  test('data of a cluster that lost its power before it agreed names none', async () => {
    await withBoltFile(database, async (file) => {
      await file.put('cluster', Buffer.from('clusterVersion'), Buffer.from('3.0.0'));
      await file.commit();
    });
    expect(await dataVersion(database)).toBeUndefined();
  });
});
