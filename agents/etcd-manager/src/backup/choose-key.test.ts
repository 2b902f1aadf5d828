import { expect, test } from 'vitest';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { chooseBackupKey } from './choose-key.ts';

const CLUSTER = 'demo';
const BACKUPS = `${CLUSTER}/backups/etcd/main`;
const SIGNAL = AbortSignal.timeout(60_000);

async function cluster(holds: { readonly key?: true; readonly backup?: 'plain' | 'encrypted' }) {
  const store = createMemoryStore();
  const write = (path: string, text: string) => store.write(path, Buffer.from(text), { ifAbsent: true });
  if (holds.key)
    await write(`${CLUSTER}/secrets/etcd-backup-key`, JSON.stringify({ Data: Buffer.alloc(32, 1).toString('base64') }));
  if (holds.backup !== undefined) {
    const folder = `${BACKUPS}/2026-11-21T01:02:03Z-000000`;
    await write(`${folder}/etcd.backup.gz${holds.backup === 'encrypted' ? '.enc' : ''}`, 'data');
    await write(`${folder}/_etcd_backup.meta`, '{}');
  }
  return (setting?: string) => {
    const env = setting === undefined ? [] : [{ name: 'ETCD_MANAGER_BACKUP_ENCRYPTION', value: setting }];
    return chooseBackupKey({ name: 'main', backupPath: BACKUPS, env }, { store, cluster: CLUSTER }, SIGNAL);
  };
}

test('backups are encrypted from the moment there is a key', async () => {
  expect(await (await cluster({}))()).toBeUndefined();
  expect(await (await cluster({ backup: 'plain' }))()).toBeUndefined();
  expect((await (await cluster({ key: true, backup: 'plain' }))())?.bytes).toHaveLength(32);
});

test('a key that is gone does not mean that backups are stored in the clear', async () => {
  const choose = await cluster({ backup: 'encrypted' });
  await expect(choose()).rejects.toMatchObject({
    why: 'the backup 2026-11-21T01:02:03Z-000000 was encrypted, and there is no key: demo/secrets/etcd-backup-key does not exist',
    next: expect.stringContaining('kopsctl create secret etcd-backup-key -f FILE'),
  });
});

test('the spec says that backups are to be stored in the clear', async () => {
  expect(await (await cluster({ backup: 'encrypted' }))('none')).toBeUndefined();
  expect(await (await cluster({ key: true }))('none')).toBeUndefined();
});

test('the spec says that no backup is taken without a key', async () => {
  await expect((await cluster({}))('required')).rejects.toThrow('is required, and there is no key');
  expect(await (await cluster({ key: true }))('required')).toBeDefined();
});

test('a setting with another meaning is refused', async () => {
  await expect((await cluster({ key: true }))('off')).rejects.toThrow('ETCD_MANAGER_BACKUP_ENCRYPTION is "off"');
});
