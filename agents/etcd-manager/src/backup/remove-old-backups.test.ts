import { expect, test } from 'vitest';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import {
  BACKUP_DATA,
  BACKUP_FACTS,
  BACKUP_META,
  BACKUP_VERIFIED,
  backupName,
  printBackupMeta,
  printJson,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import { writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { writeRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import { backupNotes, removeOldBackups } from './remove-old-backups.ts';

const signal = new AbortController().signal;
const HOUR_MS = 60 * 60_000;
const NOW_MS = Date.parse('2026-06-15T12:30:00Z');
const CONFIG = { backupPath: 'demo/backups/etcd/main', env: [] };
const SPEC = { memberCount: 1, etcdVersion: '3.5.30' };

/** A store whose clock is set by `at`. */
function world() {
  let nowMs = 0;
  const store = createMemoryStore({ now: () => nowMs });
  const notes = backupNotes(CONFIG, store);
  const write = (path: string, text: string) =>
    store.write(`${CONFIG.backupPath}/${path}`, Buffer.from(text), { ifAbsent: true });
  return {
    store,
    notes,
    backUp: async (hoursAgo: number, isFinished = true): Promise<string> => {
      nowMs = NOW_MS - hoursAgo * HOUR_MS;
      const name = backupName(nowMs, 0);
      await write(`${name}/${BACKUP_DATA}`, 'data');
      if (isFinished) await write(`${name}/${BACKUP_META}`, printBackupMeta(SPEC, nowMs));
      return name;
    },
    giveReason: (name: string, reason: string) => {
      const numbers = { storedBytes: 4, databaseBytes: 4, revision: 1, entries: 1, durationMs: 1 };
      return write(`${name}/${BACKUP_FACTS}`, printJson({ sha256: 'x', ...numbers, reason, takenBy: 'a' }));
    },
    prove: (name: string, ok: boolean) =>
      write(`${name}/${BACKUP_VERIFIED}`, printJson({ ok, at: '2026-06-15T12:00:00Z', by: 'a', durationMs: 1 })),
    remove: () => removeOldBackups(CONFIG, store, notes, signal),
  };
}

test('of the backups of an hour the proven one stays, and every file of the others goes', async () => {
  const { store, backUp, prove, remove } = world();
  const bad = await backUp(2.5);
  const good = await backUp(2.3);
  await backUp(0);
  await prove(bad, false);
  await prove(good, true);
  expect(await remove()).toEqual([bad]);
  expect(await store.list(`${CONFIG.backupPath}/${bad}`)).toEqual([]);
  expect(await remove()).toEqual([]);
});

test('backups that a restore uses or a command asks for stay', async () => {
  const { store, backUp, remove } = world();
  const names = [];
  for (const hours of [2.5, 2.4, 2.3, 2.2, 0]) names.push(await backUp(hours));
  const [, restored = '', way = '', asked = ''] = names;
  const record = {
    id: 'r',
    reason: '',
    etcdVersion: '3.5.30',
    token: 't',
    since: '2026-06-15T12:00:00Z',
    members: [],
    acknowledged: [],
  };
  await writeRestore(
    store,
    CONFIG.backupPath,
    { ...record, phase: 'done', backup: restored, safetyBackup: way },
    undefined,
  );
  const wish = { action: 'restore-backup', backup: asked, clusterSpec: SPEC } as const;
  await writeCommand(store, CONFIG.backupPath, wish, NOW_MS);
  expect(await remove()).toEqual([]);
});

test('an unfinished backup is removed once others were stored a day later, whatever time its name says', async () => {
  const { backUp, remove } = world();
  const left = await backUp(30, false);
  await backUp(20);
  expect(await remove()).toEqual([]);
  await backUp(0);
  expect(await remove()).toEqual([left]);
});

test('a backup that is stored while the others are listed is not taken for one of the schedule', async () => {
  const { store, notes, backUp, giveReason } = world();
  await backUp(2.5);
  let isLate = true;
  const slow: StateStore = {
    ...store,
    async list(prefix, asked) {
      if (isLate) {
        isLate = false;
        await new Promise((resolve) => setImmediate(resolve));
        await giveReason(await backUp(2.3), 'requested');
        await backUp(0);
      }
      return store.list(prefix, asked);
    },
  };
  expect(await removeOldBackups(CONFIG, slow, notes, signal)).toEqual([]);
});
