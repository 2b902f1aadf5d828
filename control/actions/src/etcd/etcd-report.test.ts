import { expect, test } from 'vitest';
import { BACKUP_VERIFIED, printBackupMeta } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { describeEvenDamaged, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { diagnoseEtcd } from './etcd-diagnosis.ts';
import { readEtcdReport } from './etcd-report.ts';

const ETCD = { name: 'main', backupPath: 'demo.example.com/backups/etcd/main' };
const BACKUP = '2026-11-21T11:00:00Z-000000';
const LATER = '2026-11-21T12:00:00Z-000000';

test('no text from the store reaches the terminal with its control characters', async () => {
  const store = createMemoryStore();
  const write = (path: string, text: string) =>
    store.write(`${ETCD.backupPath}/${path}`, Buffer.from(text), { ifAbsent: true });
  const status = {
    member: 'a',
    address: '\u001b[2J',
    updatedAt: 'never',
    decision: 'nothing: \u001b]0;owned\u0007',
    isLeader: true,
    wantedVersion: '3.4.23',
  };
  await write('control/status/a.json', JSON.stringify(status));
  await write(`${BACKUP}/etcd.backup.gz`, 'data');
  await write(`${BACKUP}/_etcd_backup.meta`, printBackupMeta({ memberCount: 1, etcdVersion: '3.4.23' }, 0));
  await write(
    `${BACKUP}/${BACKUP_VERIFIED}`,
    JSON.stringify({ ok: false, at: 'never', by: 'a', durationMs: 1, failure: 'torn\u001b[1A' }),
  );

  const report = await readEtcdReport(store, ETCD);
  expect(report.members[0]).toMatchObject({ address: '\ufffd[2J', decision: 'nothing: \ufffd]0;owned\ufffd' });
  expect(report.newestBackup?.verified?.failure).toBe('torn\ufffd[1A');
  expect(JSON.stringify(diagnoseEtcd(report, Date.now()))).not.toMatch(/\\u001b|\\u0007/);
});

test('a backup whose meta file is damaged does not hide the others', async () => {
  const store = createMemoryStore();
  const write = (path: string, text: string) =>
    store.write(`${ETCD.backupPath}/${path}`, Buffer.from(text), { ifAbsent: true });
  await write(`${BACKUP}/etcd.backup.gz`, 'data');
  await write(`${BACKUP}/_etcd_backup.meta`, printBackupMeta({ memberCount: 1, etcdVersion: '3.4.23' }, 0));
  await write(`${LATER}/etcd.backup.gz`, 'data');
  await write(`${LATER}/_etcd_backup.meta`, '{ "torn');
  const report = await readEtcdReport(store, ETCD);
  expect(report).toMatchObject({ backups: 2, newestBackup: { name: BACKUP } });
  const listed = await Promise.all(
    (await listBackups(store, ETCD.backupPath)).map((one) => describeEvenDamaged(store, ETCD.backupPath, one)),
  );
  expect(listed.at(-1)).toMatchObject({ name: LATER, damage: expect.stringContaining('_etcd_backup.meta') });
});
