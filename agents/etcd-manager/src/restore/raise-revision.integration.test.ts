import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { THROW_AWAY, withThrowAwayEtcd } from '../backup/throw-away-etcd.ts';
import { raiseRevision } from './raise-revision.ts';
import { ETCD_MINORS, findTestEtcds } from '@kopsctl/test-peers/etcd.ts';

const etcds = await findTestEtcds();
const BEYOND = 1_000_000_123;
/** Enough for a tree of three levels with pages of 4 KiB. */
const TRANSACTIONS = 40;
const KEYS_EACH = 50;

describe.skipIf(etcds === undefined).each(ETCD_MINORS)('etcd %s', (minor) => {
  if (etcds === undefined) return;
  const { binDir } = etcds[minor];
  let folder: string;
  let signal: AbortSignal;
  const database = (name: string) => join(folder, name, 'member', 'snap', 'db');
  const etcdctl = (url: string, input: string, ...args: readonly string[]) =>
    execa(join(binDir, 'etcdctl'), [`--endpoints=${url}`, ...args], { env: { ETCDCTL_API: '3' }, input });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-raise-'));
    signal = AbortSignal.timeout(110_000);
    const [tools, snapshot] = [await snapshotTools(binDir), join(folder, 'snapshot.db')];
    await withThrowAwayEtcd(
      { binDir, dataDir: join(folder, 'filled') },
      async (_etcd, url) => {
        for (let index = 0; index < TRANSACTIONS; index += 1) {
          const puts = Array.from({ length: KEYS_EACH }, (_, key) => `put /${index}/${key} ${'x'.repeat(1500)}`);
          await etcdctl(url, `\n${puts.join('\n')}\n\n\n`, 'txn');
        }
        await tools.save(url, undefined, snapshot, signal);
      },
      signal,
    );
    const [name, peerUrl] = [THROW_AWAY.name, THROW_AWAY.peerUrl];
    const member = { name, peerUrl, initialCluster: `${name}=${peerUrl}`, token: 'test' };
    await tools.restore({ ...member, snapshot, dataDir: join(folder, 'restored') }, signal);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('continues at the raised revision with all of its keys, and has compacted everything before', async () => {
    const path = database('restored');
    const before = await (await snapshotTools(binDir)).status(path, signal);
    expect(await raiseRevision(path, BEYOND)).toBe(before.revision);
    expect((await (await snapshotTools(binDir)).status(path, signal)).revision).toBe(BEYOND);
    // Repeated after a crash, it changes nothing.
    expect(await raiseRevision(path, BEYOND)).toBe(BEYOND);
    await expect(raiseRevision(path, 5)).rejects.toThrow(/is at revision 1000000123, beyond 5/);
    await withThrowAwayEtcd(
      { binDir, dataDir: join(folder, 'restored') },
      async (etcd, url) => {
        expect(await etcd.countKeys(signal)).toEqual({ keys: TRANSACTIONS * KEYS_EACH, revision: BEYOND });
        const old = etcdctl(url, '', 'get', '/1/1', `--rev=${before.revision}`);
        await expect(old).rejects.toThrow(/compacted/);
        await etcdctl(url, '', 'put', '/1/1', 'new');
        expect((await etcd.status(signal)).revision).toBe(BEYOND + 1);
        await etcdctl(url, '', 'defrag');
        expect((await etcdctl(url, '', 'get', '/1/1', '--print-value-only')).stdout).toBe('new');
      },
      signal,
    );
  });

  test('a damaged database is refused', async () => {
    const path = join(folder, 'damaged.db');
    await writeFile(path, Buffer.alloc(20_000, 'no database'));
    await expect(raiseRevision(path, BEYOND)).rejects.toThrow(/not a database of etcd/);
    await copyFile(database('restored'), path);
    await truncate(path, 20_000);
    await expect(raiseRevision(path, BEYOND * 2)).rejects.toThrow(/ends within a page|damaged|no bucket/);
  });
});
