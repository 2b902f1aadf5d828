import { makeLog } from '@kopsctl/agent/log.ts';
import { BACKUP_FACTS } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { expect, test } from 'vitest';
import { storeContent } from '../simulation/backups.ts';
import { configOf } from '../simulation/machine.ts';
import type { RestoreEnv } from './restore-env.ts';
import { saveData } from './save-data.ts';

const CONFIG = configOf(['a', 'b', 'c'], 'a');
const START_MS = Date.parse('2026-11-21T12:00:00Z');
const RECORD: RestoreRecord = {
  id: 'R',
  reason: 'restoring a backup',
  etcdVersion: '3.5.30',
  token: 'T',
  phase: 'saving',
  since: new Date(START_MS).toISOString(),
  members: ['a', 'b', 'c'],
  acknowledged: [],
};

/** A machine that leads the restore of a backup at revision 7. */
async function leader(
  options: {
    readonly etcdRevision?: number;
    readonly fetched?: () => number;
    /** The etcds that answer a linearizable read. */
    readonly upToDate?: readonly string[];
  } = {},
) {
  const store = createMemoryStore();
  const stored = (revision: number, wallMs: number) => {
    const content = { base: revision, log: [] };
    return storeContent(content, wallMs, { reason: 'requested', takenBy: 'a' }, CONFIG, store);
  };
  const backup = (await stored(7, START_MS)).name;
  const { etcdRevision, fetched, upToDate = ['etcd-a', 'etcd-b', 'etcd-c'] } = options;
  // kops does not record what its backups hold.
  if (fetched !== undefined) await store.delete(`${CONFIG.backupPath}/${backup}/${BACKUP_FACTS}`);
  const taken: string[] = [];
  const env = {
    cluster: 'demo',
    address: 'etcd-a',
    store,
    log: makeLog(() => undefined, false, 'test'),
    clock: { wallMs: () => START_MS, sleep: () => Promise.resolve() },
    machine: { fetchedRevision: async () => fetched?.() },
    etcds: {
      ask: async (host: string) => {
        if (!upToDate.includes(host)) throw new Error('etcdserver: request timed out');
      },
    },
    takeBackup: async (_: unknown, __: unknown, { address }: { readonly address: string }) => {
      if (etcdRevision === undefined) throw new Error('no space left on device');
      taken.push(address);
      return stored(etcdRevision, START_MS + 60_000);
    },
  };
  const save = (record: Partial<RestoreRecord>) =>
    // Nothing else is asked for.
    saveData(
      { ...RECORD, ...record },
      CONFIG,
      { member: 'a' },
      env as unknown as RestoreEnv,
      new AbortController().signal,
    );
  return { backup, save, taken };
}

test('if the current data cannot be backed up now, what the etcds leave behind is backed up later', async () => {
  const { backup, save } = await leader();
  const { phase, lastRevision, withoutSafetyBackup } = await save({ backup });
  expect({ phase, lastRevision, withoutSafetyBackup }).toEqual({ phase: 'restoring', lastRevision: 7 });
});

test('if the backup of the current data is what is to be restored, and cannot be made, the restore fails', async () => {
  const { save } = await leader();
  expect(await save({})).toMatchObject({
    phase: 'failed',
    failure: expect.stringMatching(/^saving: etcd-a: no space left on device; etcd-b: /),
  });
});

test('the backup of the current data is recorded before anything else, with how far it reaches, because etcd runs on', async () => {
  const { backup, save } = await leader({ etcdRevision: 9 });
  const saved = await save({ backup });
  expect(saved).toMatchObject({ phase: 'saving', safetyBackup: expect.any(String), safetyRevision: 9 });
  const { safetyBackup } = saved;
  expect(await save(saved)).toMatchObject({ phase: 'restoring', backup, safetyBackup, lastRevision: 9 });
});

test('without a backup to restore, that of the current data is restored', async () => {
  const { save } = await leader({ etcdRevision: 9 });
  const saved = await save({});
  expect(await save(saved)).toMatchObject({ phase: 'restoring', backup: saved.safetyBackup });
});

test('what is restored comes from a member that has every acknowledged write, or from none', async () => {
  const one = await leader({ etcdRevision: 9, upToDate: ['etcd-b'] });
  expect(await one.save({})).toMatchObject({ phase: 'saving', safetyRevision: 9 });
  expect(one.taken).toEqual(['etcd-b']);

  const none = await leader({ etcdRevision: 9, upToDate: [] });
  expect(await none.save({})).toMatchObject({ phase: 'failed', failure: expect.stringContaining('request timed out') });
  expect(none.taken).toEqual([]);
});

test('without a quorum, the data that another backup replaces is backed up as it is', async () => {
  const { backup, save, taken } = await leader({ etcdRevision: 9, upToDate: [] });
  expect(await save({ backup })).toMatchObject({ phase: 'saving', safetyRevision: 9 });
  expect(taken).toEqual(['etcd-a']);
});

test('if the revision of the backup cannot be found out, the restore fails, and the current data was backed up once', async () => {
  let tries = 0;
  const fetched = () => {
    tries += 1;
    throw new Error('no space left on device');
  };
  const { backup, save, taken } = await leader({ etcdRevision: 9, fetched });
  const record = await save({ backup });
  expect(await save(record)).toMatchObject({ phase: 'failed', failure: 'saving: no space left on device' });
  expect({ tries, taken }).toEqual({ tries: 3, taken: ['etcd-a'] });
});

test('a store that is away for a moment ends no restore', async () => {
  let tries = 0;
  const fetched = () => {
    tries += 1;
    if (tries === 1) throw new Error('the store is away');
    return 8;
  };
  const { backup, save } = await leader({ etcdRevision: 9, fetched });
  const record = await save({ backup });
  expect(await save(record)).toMatchObject({ phase: 'restoring', lastRevision: 9, revision: 1_000_000_009 });
});
