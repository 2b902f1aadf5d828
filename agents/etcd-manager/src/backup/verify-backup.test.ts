import { expect, test } from 'vitest';
import type { BackupVerified } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { mayRecord } from './verify-backup.ts';

const proven: BackupVerified = { ok: true, at: '2026-06-15T12:00:00Z', by: 'a', durationMs: 1 };
const failed: BackupVerified = { ...proven, ok: false };

test.each([
  ['a proof counts, whatever was there', { ok: true }, failed, false, true],
  ['a failure of etcd counts if the backup was never proven', { ok: false }, undefined, false, true],
  ['a failure of etcd counts after another one', { ok: false }, failed, false, true],
  ['a failure of etcd does not count against bytes that were proven', { ok: false }, proven, false, false],
  ['bytes that have changed count against a proof', { ok: false }, proven, true, true],
] as const)('%s', (_, result, before, isDamaged, expected) => {
  expect(mayRecord(result, before, isDamaged)).toBe(expected);
});
