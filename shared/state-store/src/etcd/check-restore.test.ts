import { expect, test } from 'vitest';
import { refusalOf, type RestoreQuestion } from './check-restore.ts';
import type { RestoreRecord } from './restore-record.ts';

const BACKUP: NonNullable<RestoreQuestion['backup']> = {
  name: 'B',
  takenMs: 0,
  storedBytes: 10,
  isEncrypted: false,
  meta: { etcdVersion: '3.4.23', timestamp: 0, clusterSpec: { memberCount: 1, etcdVersion: '3.4.23' } },
};
const QUESTION: RestoreQuestion = {
  backupName: 'B',
  backup: BACKUP,
  askedVersion: '3.4.13',
  wantedVersion: '3.4.23',
  current: undefined,
};
const FACTS = {
  sha256: '',
  storedBytes: 10,
  databaseBytes: 20,
  revision: 5,
  entries: 5,
  reason: '',
  takenBy: 'a',
  durationMs: 1,
};
const VERIFIED = { ok: false, at: '', by: 'a', durationMs: 1, failure: 'torn' };
// Only the fields that the check reads.
const under = (phase: string) => ({ id: 'R', phase }) as RestoreRecord;

test.each<[string, Partial<RestoreQuestion>, RegExp | undefined]>([
  ['a backup of kops is restored', {}, undefined],
  [
    'one of ours too, whatever came before',
    { backup: { ...BACKUP, facts: FACTS }, current: under('failed') },
    undefined,
  ],
  ['no version need be named', { askedVersion: '' }, undefined],
  ['nothing that is not there', { backup: undefined }, /no finished backup B/],
  ['nothing while another restore is under way', { current: under('restoring') }, /R is under way \(restoring\)/],
  ['not to another minor version than the spec says', { askedVersion: '3.5.1' }, /asks for etcd 3.5.1/],
  ['no truncated data', { backup: { ...BACKUP, facts: { ...FACTS, storedBytes: 11 } } }, /11 bytes, and 10 are there/],
  ['nothing that is known to be broken', { backup: { ...BACKUP, verified: VERIFIED } }, /when it was tried: torn/],
  [
    'data of etcd 2 by an etcd that can read it',
    { backup: { ...BACKUP, meta: { ...BACKUP.meta, etcdVersion: '2.2.1' } } },
    undefined,
  ],
  [
    'and by no other',
    {
      backup: { ...BACKUP, meta: { ...BACKUP.meta, etcdVersion: '2.2.1' } },
      askedVersion: '3.5.16',
      wantedVersion: '3.5.16',
    },
    /only etcd 3.3 and 3.4 can migrate to keys of version 3; set the version in the spec to 3.4 first/,
  ],
])('A restore is checked: %s', (_, change, refusal) => {
  expect(refusalOf({ ...QUESTION, ...change }) ?? 'it may').toMatch(refusal ?? /^it may$/);
});
