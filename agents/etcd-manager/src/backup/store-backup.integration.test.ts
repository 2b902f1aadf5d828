import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { checkedSnapshot, snapshotFile } from './snapshot-source.ts';
import { storeBackup, type TakenSnapshot } from './store-backup.ts';

const PATH = 'demo.example.com/backups/etcd/main';
let folder: string;
let taken: TakenSnapshot;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-store-backup-'));
  const path = join(folder, 'snapshot.db');
  await writeFile(path, Buffer.alloc(3_000_000, 'etcd'));
  taken = {
    source: await snapshotFile(path),
    takenMs: Date.parse('2026-11-21T01:02:03Z'),
    startedMs: performance.now(),
    spec: { memberCount: 1, etcdVersion: '3.4.23' },
    facts: { revision: 5, entries: 7, reason: 'test', takenBy: 'a' },
  };
});
afterAll(() => rm(folder, { recursive: true }));

const log = makeLog(() => undefined, false, 'test');
const SOON = { minTimeout: 1, factor: 1, maxTimeout: 1 };
const store = (inner: StateStore, retries: number, signal = AbortSignal.timeout(30_000)) =>
  storeBackup(taken, { store: inner, backupPath: PATH, log, pace: { ...SOON, retries } }, signal);

/** A store whose first streamed writes fail. */
function failing(
  times: number,
  how: (inner: StateStore, ...args: Parameters<StateStore['writeStream']>) => Promise<{ version: string }>,
) {
  const inner = createMemoryStore();
  let left = times;
  const writeStream: StateStore['writeStream'] = (...args) =>
    left-- > 0 ? how(inner, ...args) : inner.writeStream(...args);
  return { ...inner, writeStream };
}

const breaks = async (_: StateStore, __: string, chunks: AsyncIterable<Uint8Array>): Promise<never> => {
  for await (const chunk of chunks) if (chunk.byteLength > 0) break;
  throw new Error('connection reset');
};
/** The store keeps only the beginning, and reports success. */
const truncates: Parameters<typeof failing>[1] = async (inner, path, chunks, condition) => {
  for await (const chunk of chunks) return inner.write(path, chunk.subarray(0, 10), condition);
  throw new Error('there was nothing to write');
};

test.each([
  ['breaks', breaks],
  ['keeps only a part', truncates],
])('A store that %s twice gets the backup at the third attempt, and nothing else is left', async (_, how) => {
  const flaky = failing(2, how);
  const { name, facts } = await store(flaky, 3);
  expect((await listBackups(flaky, PATH)).map((backup) => backup.name)).toEqual([name]);
  expect((await flaky.list(PATH)).map(({ path }) => path.slice(PATH.length + 1))).toEqual([
    `${name}/_backup_facts.json`,
    `${name}/_etcd_backup.meta`,
    `${name}/etcd.backup.gz`,
  ]);
  const stored = await flaky.read(`${PATH}/${name}/etcd.backup.gz`);
  expect(gunzipSync(stored?.bytes ?? new Uint8Array())).toHaveLength(3_000_000);
  expect(facts.storedBytes).toBe(stored?.bytes.byteLength);
});

test.each([
  ['breaks', breaks],
  ['keeps only a part', truncates],
])('A store that always %s gets no backup, and nothing is left', async (_, how) => {
  const broken = failing(Infinity, how);
  await expect(store(broken, 2)).rejects.toThrow(/connection reset|holds 10 bytes/);
  expect(await broken.list(PATH)).toEqual([]);
});

test('A store that hangs does not delay the end of the manager', async () => {
  const stop = new AbortController();
  const hangs = failing(1, (_, __, ___, ____, signal) => {
    stop.abort(new Error('told to end'));
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      if (signal?.aborted === true) reject(signal.reason);
    });
  });
  await expect(store(hangs, 3, stop.signal)).rejects.toThrow('told to end');
  expect(await listBackups(hangs, PATH)).toEqual([]);
});

test('Two machines that back up in the same second do not overwrite each other', async () => {
  const shared = createMemoryStore();
  const both = await Promise.all([store(shared, 3), store(shared, 3)]);
  expect(new Set(both.map(({ name }) => name)).size).toBe(2);
  expect(await listBackups(shared, PATH)).toHaveLength(2);
});

test('a damaged snapshot is not stored, and a stored one is marked as checked', async () => {
  const database = Buffer.alloc(512 * 1024, 'etcd');
  const path = join(folder, 'checked.db');
  const checked = async (bytes: Buffer, inner: StateStore) => {
    await writeFile(path, bytes);
    const env = {
      store: inner,
      backupPath: PATH,
      log,
      pace: { retries: 1, minTimeout: 60_000, factor: 1, maxTimeout: 60_000 },
    };
    return storeBackup({ ...taken, source: await checkedSnapshot(path) }, env, AbortSignal.timeout(30_000));
  };
  const inner = createMemoryStore();
  const whole = Buffer.concat([database, createHash('sha256').update(database).digest()]);
  expect((await checked(whole, inner)).facts.isChecked).toBe(true);

  whole[1000] = (whole[1000] ?? 0) ^ 1;
  const other = createMemoryStore();
  // There is no second attempt: it would read the same bytes.
  await expect(checked(whole, other)).rejects.toThrow(/the snapshot is damaged: its content has the SHA-256/);
  await expect(checked(whole.subarray(0, -100), other)).rejects.toThrow(
    /the snapshot is damaged: it is not a complete/,
  );
  expect(await other.list('', AbortSignal.timeout(1000))).toEqual([]);
});
