import { makeLog } from '@kopsctl/agent/log.ts';
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
async function leader(options: { readonly etcdRevision?: number } = {}) {
  const store = createMemoryStore();
  const stored = (revision: number, wallMs: number) => {
    const content = { base: revision, log: [] };
    return storeContent(content, wallMs, { reason: 'requested', takenBy: 'a' }, CONFIG, store);
  };
  const backup = (await stored(7, START_MS)).name;
  const { etcdRevision } = options;
  const env = {
    cluster: 'demo',
    address: 'etcd-a',
    store,
    log: makeLog(() => undefined, false, 'test'),
    clock: { wallMs: () => START_MS },
    takeBackup: async () => {
      if (etcdRevision === undefined) throw new Error('no space left on device');
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
  return { backup, save };
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

test('the record says how far the backup of the current data reaches, because etcd runs on', async () => {
  const { backup, save } = await leader({ etcdRevision: 9 });
  expect(await save({ backup })).toMatchObject({ phase: 'restoring', safetyRevision: 9, lastRevision: 9 });
});
