import { expect, test } from 'vitest';
import { createMemoryStore } from '../memory.ts';
import { ConflictError, type StateStore } from '../store.ts';
import { newestCommand, pendingCommands, readOutcome, recordOutcome, writeCommand } from './command.ts';

const PATH = 'demo.example.com/backups/etcd/main';
const NOW_MS = Date.parse('2026-11-21T01:02:03.456Z');
const AT = '2026-11-21T01:05:00Z';

test('A restore is asked for in the form of kops, in the order of asking', async () => {
  const store = createMemoryStore();
  const clusterSpec = { memberCount: 3, etcdVersion: '3.4.23' };
  await writeCommand(store, PATH, { action: 'verify' }, NOW_MS + 5000);
  await writeCommand(store, PATH, { action: 'restore-backup', backup: 'B', clusterSpec }, NOW_MS);
  const stored = await store.read(`${PATH}/control/2026-11-21T01:02:03Z-000000/_command.json`);
  expect(JSON.parse(Buffer.from(stored?.bytes ?? []).toString())).toEqual({
    timestamp: '1795222923456000000',
    restoreBackup: { clusterSpec, backup: 'B' },
  });
  expect(await pendingCommands(store, PATH)).toEqual([
    { name: '2026-11-21T01:02:03Z-000000', wish: { action: 'restore-backup', backup: 'B', clusterSpec } },
    { name: '2026-11-21T01:02:08Z-000001', wish: { action: 'verify' } },
  ]);
});

test('A command with an outcome is never looked at again, also when its file could not be taken away', async () => {
  const store = createMemoryStore();
  const name = await writeCommand(store, PATH, { action: 'backup' }, NOW_MS);
  await recordOutcome(store, PATH, name, { result: 'done', at: AT, by: 'a', message: 'saved B' });
  expect(await pendingCommands(store, PATH)).toEqual([]);
  await store.write(`${PATH}/control/${name}/_kopsctl_command.json`, Buffer.from('{}'), { ifAbsent: true });
  expect(await pendingCommands(store, PATH)).toEqual([]);
  expect(await readOutcome(store, PATH, name)).toMatchObject({ result: 'done', message: 'saved B' });
});

test.each([
  ['_command.json', 'torn {', 'it is not a JSON object'],
  ['_command.json', '{"timestamp":1}', 'it holds no restoreBackup (found: timestamp)'],
  ['_command.json', '{"restoreBackup":{}}', 'restoreBackup names no backup'],
  ['_kopsctl_command.json', '{"action":"explode"}', 'it asks for "explode"'],
])('A command that cannot be understood says why: %s %s', async (file, text, why) => {
  const store = createMemoryStore();
  await store.write(`${PATH}/control/C/${file}`, Buffer.from(text), { ifAbsent: true });
  expect(await pendingCommands(store, PATH)).toEqual([{ name: 'C', wish: { action: 'unknown', why } }]);
});

test('commands of the same second have names of their own, and each its own outcome', async () => {
  const store = createMemoryStore();
  const first = await writeCommand(store, PATH, { action: 'verify' }, NOW_MS);
  await recordOutcome(store, PATH, first, { result: 'failed', at: '', by: 'a', message: 'damaged' });
  const clusterSpec = { memberCount: 1, etcdVersion: '3.4.13' };
  const second = await writeCommand(store, PATH, { action: 'restore-backup', backup: 'B', clusterSpec }, NOW_MS);
  expect(second).not.toBe(first);
  expect(await readOutcome(store, PATH, second)).toBeUndefined();
  expect((await pendingCommands(store, PATH)).map(({ name }) => name)).toEqual([second]);
});

test('commands that several ask for at the same moment are all carried out, under names of their own', async () => {
  const store = createMemoryStore();
  const asked = Array.from({ length: 8 }, () => writeCommand(store, PATH, { action: 'backup' }, NOW_MS));
  const names = await Promise.all(asked);
  expect(new Set(names).size).toBe(8);
  expect((await pendingCommands(store, PATH)).map(({ name }) => name)).toEqual(names.toSorted());
});

test('a restore and another command of the same moment are both carried out, and each has its own outcome', async () => {
  const store = createMemoryStore();
  const clusterSpec = { memberCount: 1, etcdVersion: '3.4.13' };
  const [restore, backup] = await Promise.all([
    writeCommand(store, PATH, { action: 'restore-backup', backup: 'B', clusterSpec }, NOW_MS),
    writeCommand(store, PATH, { action: 'backup' }, NOW_MS),
  ]);
  await recordOutcome(store, PATH, restore, { result: 'done', at: AT, by: 'a', message: 'restored B' });
  expect(await readOutcome(store, PATH, backup)).toBeUndefined();
  expect(await pendingCommands(store, PATH)).toEqual([{ name: backup, wish: { action: 'backup' } }]);
});

test('a store that takes every command for one that is there does not get more and more of them', async () => {
  const store = createMemoryStore();
  let writes = 0;
  const full: StateStore = {
    ...store,
    write: async (path) => {
      writes += 1;
      throw new ConflictError(store.url, path, 'it was to be created, but it already exists');
    },
  };
  await expect(writeCommand(full, PATH, { action: 'backup' }, NOW_MS)).rejects.toThrow(ConflictError);
  expect(writes).toBe(11);
});

test('each command is announced where one small object tells of it', async () => {
  const store = createMemoryStore();
  expect(await newestCommand(store, PATH)).toBeUndefined();
  await writeCommand(store, PATH, { action: 'verify' }, NOW_MS);
  const first = await newestCommand(store, PATH);
  await writeCommand(store, PATH, { action: 'verify' }, NOW_MS);
  const second = await newestCommand(store, PATH);
  expect(first).toBeDefined();
  expect(second).not.toBe(first);
});
