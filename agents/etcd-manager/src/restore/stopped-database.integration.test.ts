import { open, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SnapshotSource } from '../backup/snapshot-source.ts';
import { snapshotTools, type SnapshotTools } from '../backup/snapshot-tools.ts';
import { THROW_AWAY, withThrowAwayEtcd } from '../backup/throw-away-etcd.ts';
import { stoppedRevision, stoppedSnapshot } from './stopped-database.ts';
import { ETCD_MINORS, findTestEtcds } from '@kopsctl/test-peers/etcd.ts';

const etcds = await findTestEtcds();
const MEMBER = {
  name: THROW_AWAY.name,
  peerUrl: THROW_AWAY.peerUrl,
  initialCluster: `${THROW_AWAY.name}=${THROW_AWAY.peerUrl}`,
  token: 'test',
};

/** Writes the whole snapshot in blocks that are not a multiple of a page. */
async function writeTo(path: string, source: SnapshotSource): Promise<void> {
  await using snapshot = await source.open();
  await using file = await open(path, 'w');
  const block = Buffer.alloc(5_000);
  for (;;) {
    const bytes = await snapshot.read(block);
    if (bytes === 0) return;
    await file.writeFile(block.subarray(0, bytes));
  }
}

describe.skipIf(etcds === undefined).each(ETCD_MINORS)('etcd %s', (minor) => {
  if (etcds === undefined) return;
  const { binDir } = etcds[minor];
  let folder: string;
  let signal: AbortSignal;
  let tools: SnapshotTools;
  let database: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-stopped-'));
    signal = AbortSignal.timeout(110_000);
    tools = await snapshotTools(binDir);
    const given = join(folder, 'given.db');
    await withThrowAwayEtcd(
      { binDir, dataDir: join(folder, 'filled') },
      async (_etcd, url) => {
        for (const value of ['one', 'two', 'three']) {
          await execa(join(binDir, 'etcdctl'), [`--endpoints=${url}`, 'put', 'key', value], {
            env: { ETCDCTL_API: '3' },
          });
        }
        await tools.save(url, undefined, given, signal);
      },
      signal,
    );
    await tools.restore({ ...MEMBER, snapshot: given, dataDir: join(folder, 'stopped') }, signal);
    database = join(folder, 'stopped', 'member', 'snap', 'db');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the data it leaves becomes a snapshot that its own tools accept, including the checksum', async () => {
    const path = join(folder, 'snapshot.db');
    const source = await stoppedSnapshot(database);
    await writeTo(path, source);
    expect(await tools.status(path, signal)).toEqual(await tools.status(database, signal));
    expect(await stoppedRevision(database)).toBe((await tools.status(path, signal)).revision);
    const dataDir = join(folder, 'again');
    await tools.restore({ ...MEMBER, snapshot: path, dataDir }, signal);
    await withThrowAwayEtcd(
      { binDir, dataDir },
      async (etcd) => expect(await etcd.countKeys(signal)).toMatchObject({ keys: 1, revision: 4 }),
      signal,
    );
    // A second attempt to store it reads the same bytes.
    const second = join(folder, 'second.db');
    await writeTo(second, source);
    await tools.restore({ ...MEMBER, snapshot: second, dataDir: join(folder, 'second') }, signal);
  });

  test('space that bbolt has allocated beyond the last page is not part of the snapshot', async () => {
    const before = await stoppedSnapshot(database);
    await truncate(database, before.bytes + 16 * 1024 * 1024);
    expect((await stoppedSnapshot(database)).bytes).toBe(before.bytes);
  });

  test('a file that ends too early, or is not a database of etcd, is refused', async () => {
    const path = join(folder, 'damaged.db');
    await writeFile(path, Buffer.alloc(20_000, 'no database'));
    await expect(stoppedSnapshot(path)).rejects.toThrow(/not a database of etcd/);
    const source = await stoppedSnapshot(database);
    await truncate(database, 8_192);
    await expect(writeTo(path, source)).rejects.toThrow(/ends at 8192 of/);
  });
});
