import { expect, test } from 'vitest';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { createMemoryStore } from '../memory.ts';
import { BACKUP_FACTS, BACKUP_VERIFIED, printBackupMeta } from './backup-layout.ts';
import { findBackup } from './list-backups.ts';
import { type MemberStatus, publishStatus, readStatuses } from './member-status.ts';
import { readRestore, RESTORE_RECORD, type RestoreRecord, writeRestore } from './restore-record.ts';

const PATH = 'demo.example.com/backups/etcd/main';

const STATUS: MemberStatus = {
  member: 'a',
  address: '10.0.0.1',
  updatedAt: '2026-11-21T11:00:00Z',
  decision: 'nothing: serving',
  isLeader: true,
  epoch: 3,
  wantedVersion: '3.6.12',
  hasData: true,
  available: ['3.6.12', '3.5.31'],
  etcd: {
    memberId: '1f',
    version: '3.6.12',
    leaderId: '1f',
    revision: 7,
    dbSizeBytes: 4096,
    alarms: ['NOSPACE'],
    isLearner: false,
  },
  members: [
    { id: '1f', name: 'a' },
    { id: '2f', name: 'b', isLearner: true },
  ],
};

function storeWith(files: Readonly<Record<string, unknown>>) {
  const store = createMemoryStore();
  const written = Object.entries(files).map(async ([path, content]) =>
    store.write(`${PATH}/${path}`, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), {
      ifAbsent: true,
    }),
  );
  return Promise.all(written).then(() => store);
}

test('a status is read as it was published', async () => {
  const store = createMemoryStore();
  await publishStatus(store, PATH, STATUS);
  expect(await readStatuses(store, PATH)).toEqual([STATUS]);
});

test.each([
  ['torn', '{"member":"b","addr'],
  ['a list', []],
  ['without a time', { ...STATUS, updatedAt: undefined }],
  ['with versions that are not a list', { ...STATUS, available: '3.6.12' }],
  ['with an etcd of another shape', { ...STATUS, etcd: { memberId: '1f' } }],
  ['with members of another shape', { ...STATUS, members: ['a'] }],
])('a member whose status is %s has said nothing', async (_, content) => {
  const store = await storeWith({ 'control/status/b.json': content });
  await publishStatus(store, PATH, STATUS);
  expect(await readStatuses(store, PATH)).toEqual([STATUS]);
});

const RECORD: RestoreRecord = {
  id: 'r',
  reason: 'asked',
  takesOverEtcd2: true,
  etcdVersion: '3.6.12',
  token: 't',
  phase: 'restoring',
  since: '2026-11-21T11:00:00Z',
  members: ['a', 'b'],
  acknowledged: ['a'],
  apiServers: { 'api-1': 'ending' },
  runningApiServers: [],
  lastRevision: 7,
  stopped: { a: { token: 'o', revision: 0, etcd2: { term: 1, index: 2 }, at: '2026-11-21T11:00:00Z' } },
  notKept: { b: 'its disk is gone' },
};

test('a restore is read as it was written, with what a newer agent added', async () => {
  const store = createMemoryStore();
  const written = { ...RECORD, addedLater: { by: 'a newer agent' } };
  await writeRestore(store, PATH, written, undefined);
  expect((await readRestore(store, PATH))?.record).toEqual(written);
});

test.each([
  ['torn', '{"id":"r"', 'is only partly written'],
  ['a list', [], 'id, reason, etcdVersion'],
  ['in no phase', { ...RECORD, phase: 'sleeping' }, 'phase'],
  ['without members', { ...RECORD, members: undefined }, 'members'],
  ['with stopped data of another shape', { ...RECORD, stopped: { a: { revision: '7' } } }, 'stopped.a.revision'],
])('a record of a restore that is %s is refused, and the error says why', async (_, content, why) => {
  const store = await storeWith({ [RESTORE_RECORD]: content });
  await expect(readRestore(store, PATH)).rejects.toThrow(why);
});

test('the record of a restore in a phase of a newer version is not to be removed, unlike one that is damaged', async () => {
  const nextOf = async (content: unknown) => {
    const error = await readRestore(await storeWith({ [RESTORE_RECORD]: content }), PATH).catch((thrown) => thrown);
    return error instanceof ActionableError ? error.next : undefined;
  };
  expect(await nextOf({ ...RECORD, phase: 'sleeping' })).toMatch(/^wait until the restore has ended: .* newer version/);
  expect(await nextOf({ ...RECORD, members: undefined })).toMatch(/^remove /);
  expect(await nextOf('{')).toMatch(/^remove /);
});

const NAME = '2026-11-21T11:00:00Z-000000';
const FACTS = {
  sha256: 'ab',
  storedBytes: 1,
  databaseBytes: 2,
  revision: 3,
  entries: 4,
  reason: 'scheduled',
  takenBy: 'a',
  durationMs: 5,
};
const VERIFIED = { ok: true, at: '2026-11-21T12:00:00Z', by: 'a', durationMs: 6, hash: 7 };

test.each([
  ['whole', FACTS, VERIFIED, FACTS, VERIFIED],
  ['torn', '{', '{', undefined, undefined],
  ['of another shape', { ...FACTS, sha256: 5 }, { ok: 'yes' }, undefined, undefined],
])('files beside a backup that are %s', async (_, facts, verified, readFacts, readVerified) => {
  const store = await storeWith({
    [`${NAME}/etcd.backup.gz`]: 'data',
    [`${NAME}/_etcd_backup.meta`]: printBackupMeta({ memberCount: 1, etcdVersion: '3.6.12' }, 0),
    [`${NAME}/${BACKUP_FACTS}`]: facts,
    [`${NAME}/${BACKUP_VERIFIED}`]: verified,
  });
  const backup = await findBackup(store, PATH, NAME);
  expect([backup?.facts, backup?.verified]).toEqual([readFacts, readVerified]);
});
