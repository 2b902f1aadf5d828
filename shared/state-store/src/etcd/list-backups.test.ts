import { expect, test } from 'vitest';
import { createMemoryStore } from '../memory.ts';
import { BACKUP_DATA, BACKUP_META, BACKUP_VERIFIED } from './backup-layout.ts';
import { lastStoredBackup } from './list-backups.ts';

const PATH = 'demo.example.com/backups/etcd/main';
const FUTURE = '2031-01-01T00:00:00Z-000000';
const [EARLIER, LATER] = ['2026-11-21T01:00:00Z-000000', '2026-11-21T02:00:00Z-000000'];

/** Files of backups, stored a second after each other. */
async function storeOf(...files: readonly string[]) {
  let nowMs = 0;
  const store = createMemoryStore({ now: () => (nowMs += 1000) });
  for (const file of files) await store.write(`${PATH}/${file}`, Buffer.from('{}'), { ifAbsent: true });
  return store;
}

const backup = (name: string): readonly string[] => [`${name}/${BACKUP_DATA}`, `${name}/${BACKUP_META}`];

test('the backup that was stored last is the newest, although the name of another one is in the future', async () => {
  const store = await storeOf(...backup(FUTURE), ...backup(EARLIER), ...backup(LATER));
  expect(await lastStoredBackup(store, PATH)).toMatchObject({ name: LATER });
});

test('neither a verification nor what was never finished makes a backup the newest', async () => {
  const unfinished = `${FUTURE}/${BACKUP_DATA}`;
  const store = await storeOf(...backup(EARLIER), ...backup(LATER), `${EARLIER}/${BACKUP_VERIFIED}`, unfinished);
  expect(await lastStoredBackup(store, PATH)).toMatchObject({ name: LATER });
});

test('backups that were stored at the same time go by their names', async () => {
  const store = createMemoryStore({ now: () => 0 });
  for (const file of [...backup(LATER), ...backup(EARLIER)]) {
    await store.write(`${PATH}/${file}`, Buffer.from('{}'), { ifAbsent: true });
  }
  expect(await lastStoredBackup(store, PATH)).toMatchObject({ name: LATER });
});

test('without a finished backup there is none', async () => {
  expect(await lastStoredBackup(await storeOf(`${LATER}/${BACKUP_DATA}`), PATH)).toBeUndefined();
});
