import { expect, test } from 'vitest';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { BACKUP_DATA, BACKUP_META, printBackupMeta } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { recordOutcome } from '@kopsctl/state-store/etcd/command.ts';
import { readRestore, writeRestore, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { CREATED, printMarker, startedPath } from '../store/layout.ts';
import { acceptRestore, answerOf, beginRestore } from './accept-restore.ts';
import { printRestored } from './carried-out.ts';

const signal = new AbortController().signal;
const PATH = 'demo.example.com/backups/etcd/main';
const BACKUP = '2026-11-21T01:02:03Z-000000';
const CONFIG = { backupPath: PATH, etcdVersion: '3.5.30' };
const COMMAND = {
  name: '2026-11-21T02:00:00Z-000000',
  wish: { action: 'restore-backup', backup: BACKUP, clusterSpec: { memberCount: 3, etcdVersion: '3.5.30' } },
} as const;

async function storeWithBackup(): Promise<StateStore> {
  const store = createMemoryStore();
  const spec = { memberCount: 3, etcdVersion: '3.5.30' };
  await store.write(`${PATH}/${BACKUP}/${BACKUP_DATA}`, Buffer.from('data'), { ifAbsent: true });
  await store.write(`${PATH}/${BACKUP}/${BACKUP_META}`, Buffer.from(printBackupMeta(spec, 0)), { ifAbsent: true });
  return store;
}

const accept = (store: StateStore, epoch = 1) => acceptRestore(COMMAND, { epoch }, CONFIG, store, signal);

async function recordOf(store: StateStore) {
  const stored = await readRestore(store, PATH);
  if (stored === undefined) throw new Error('there is a record');
  return stored;
}

/** Another leader carries the restore to its end. */
async function end(store: StateStore, more: Partial<RestoreRecord> = {}): Promise<void> {
  const stored = await recordOf(store);
  await writeRestore(store, PATH, { ...stored.record, phase: 'done', ...more }, stored);
}

test('a command begins its restore once, however often it is accepted', async () => {
  const store = await storeWithBackup();
  expect(await accept(store)).toBeUndefined();
  const { version } = await recordOf(store);
  expect(await accept(store)).toBeUndefined();
  await end(store);
  const ended = await recordOf(store);
  expect(ended.version).not.toBe(version);
  // A leader that was paused since before the restore began goes on here.
  await accept(store);
  expect((await recordOf(store)).version).toBe(ended.version);
});

test('a command whose restore was followed by another one is not restored again, and its end is still known', async () => {
  const store = await storeWithBackup();
  await accept(store);
  await end(store, { revision: 7, safetyBackup: 'S' });
  const later = { id: 'to-etcd-3.5.30', reason: 'going to 3.5.30' };
  expect(await beginRestore(later, 1, await recordOf(store), CONFIG, store, signal)).toBe(true);
  await end(store);
  await accept(store);
  expect((await recordOf(store)).record.id).toBe(later.id);
  expect(await answerOf(COMMAND.name, CONFIG, store, signal)).toEqual({
    result: 'done',
    message: `restored ${BACKUP} at revision 7; the data from before is in the backup S`,
  });
});

test('the outcome says what is in no backup: what etcd wrote after the one of the current data was taken', async () => {
  const store = await storeWithBackup();
  await accept(store);
  await end(store, { revision: 7, safetyBackup: 'S', withoutSafetyBackup: 'a: the file is torn' });
  expect((await answerOf(COMMAND.name, CONFIG, store, signal))?.message).toBe(
    `restored ${BACKUP} at revision 7; the data from before is in the backup S; what etcd wrote after that backup was taken could not be backed up (a: the file is torn); it is in data-trashcan/ of each volume`,
  );
});

test('a command with an outcome is never begun, whatever became of the record', async () => {
  const store = await storeWithBackup();
  await recordOutcome(store, PATH, COMMAND.name, { result: 'done', at: '', by: 'b', message: 'restored' });
  expect(await accept(store)).toMatch(/has ended already/);
  expect(await readRestore(store, PATH)).toBeUndefined();
});

test.each([
  ['is not carried out again if it has made the cluster that serves', COMMAND.name, 'refused', undefined],
  ['is carried out if another restore has made the cluster that serves', 'another', undefined, 'gathering'],
])('after the record of its restore was removed, a command %s', async (_, restored, refused, phase) => {
  const store = await storeWithBackup();
  const write = (path: string, text: string) => store.write(`${PATH}/${path}`, Buffer.from(text), { ifAbsent: true });
  await write(CREATED, printMarker({ token: 'T', members: ['a', 'b'] }, 1));
  await write(startedPath('T', 'a'), '{}');
  await write(startedPath('T', 'b'), printRestored(restored));
  const isRefused = (await accept(store))?.includes('has been carried out already') === true;
  expect(isRefused ? 'refused' : undefined).toBe(refused);
  expect((await readRestore(store, PATH))?.record.phase).toBe(phase);
});

test('a command for a backup whose meta file is damaged is refused, so that later commands are looked at', async () => {
  const store = await storeWithBackup();
  const path = `${PATH}/${BACKUP}/${BACKUP_META}`;
  const meta = await store.read(path);
  await store.write(path, Buffer.from('{"etcdVersion": '), { ifVersion: meta?.version ?? '' });
  expect(await accept(store)).toContain(`cannot read ${path}`);
  expect(await readRestore(store, PATH)).toBeUndefined();
});

test('a command is not refused while the store is away: it is looked at again', async () => {
  const store = await storeWithBackup();
  const away = { ...store, list: () => Promise.reject(new Error('the store is away')) };
  await expect(accept(away)).rejects.toThrow('the store is away');
});

test('a restore does not begin if the record has changed since the decision', async () => {
  const store = await storeWithBackup();
  await accept(store);
  await end(store);
  const seen = await recordOf(store);
  await end(store, { failure: 'changed meanwhile' });
  expect(await beginRestore({ id: 'x', reason: '' }, 1, seen, CONFIG, store, signal)).toBe(false);
});

test('a leader of an earlier term does not begin a restore after one of a later term', async () => {
  const store = await storeWithBackup();
  await beginRestore({ id: 'other', reason: '' }, 5, undefined, CONFIG, store, signal);
  await end(store);
  expect(await accept(store, 4)).toMatch(/epoch 4 is over/);
  expect((await recordOf(store)).record.id).toBe('other');
});

test('the next restore goes beyond the revision of the one before, even if nothing else remembers it', async () => {
  const store = await storeWithBackup();
  await accept(store);
  await end(store, { lastRevision: 100, revision: 1_000_000_100 });
  await beginRestore({ id: 'second', reason: '' }, 1, await recordOf(store), CONFIG, store, signal);
  expect((await recordOf(store)).record.lastRevision).toBe(1_000_000_100);
});

test('a restore takes the place of one that is stuck, whose cluster still counts, and keeps what was there before both', async () => {
  const store = await storeWithBackup();
  const before = { a: { token: 'before', revision: 70, at: '2026-11-21T02:01:00Z' } };
  await beginRestore({ id: 'stuck', reason: '', backup: BACKUP }, 1, undefined, CONFIG, store, signal);
  const begun = (await recordOf(store)).record;
  await end(store, {
    phase: 'starting',
    members: ['a', 'b', 'c'],
    lastRevision: 70,
    revision: 1_000_000_070,
    stopped: before,
  });
  expect(await accept(store)).toContain('the restore stuck is under way');
  const stuck = await recordOf(store);
  await end(store, { phase: 'starting', acknowledged: ['a'] });
  expect(await acceptRestore(COMMAND, { epoch: 1, stuck }, CONFIG, store, signal)).toContain('under way');
  const now = await recordOf(store);
  expect(await acceptRestore(COMMAND, { epoch: 1, stuck: now }, CONFIG, store, signal)).toBeUndefined();
  expect((await recordOf(store)).record).toMatchObject({
    id: COMMAND.name,
    phase: 'gathering',
    inForce: begun.token,
    lastRevision: 1_000_000_070,
    carriedOver: before,
  });
  expect(await answerOf('stuck', CONFIG, store, signal)).toEqual({
    result: 'failed',
    message: 'starting: too few of a, b, c came to serve, and another restore has taken its place',
  });
  // If this one fails too, the next one still finds the data.
  await end(store, { phase: 'failed', failure: 'restoring: no room' });
  await beginRestore({ id: 'third', reason: '' }, 1, await recordOf(store), CONFIG, store, signal);
  expect((await recordOf(store)).record).toMatchObject({ inForce: begun.token, carriedOver: before });
  await end(store, { carriedBackup: 'C', safetyBackup: 'S', backup: BACKUP, revision: 9 });
  expect((await answerOf('third', CONFIG, store, signal))?.message).toBe(
    `restored ${BACKUP} at revision 9; the data from before is in the backup S; the data from before the restore that was given up is in C`,
  );
});
