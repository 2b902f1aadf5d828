import { existsSync, readdirSync, truncateSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { pendingCommands, readOutcome, writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import { findBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { readRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { beginRestore } from './accept-restore.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { findTestEtcd, type TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freeEtcdPorts } from '@kopsctl/test-peers/free-port.ts';
import { etcd2Backup } from '@kopsctl/test-peers/etcd2.ts';
import { SERVING, TEST_CLUSTER, TestMachine, testStore } from '../../testing/machine.ts';

const etcd34 = await findTestEtcd('3.4');
const etcd35 = await findTestEtcd('3.5');
const etcd33 = await findTestEtcd('3.3');

const PATH = `${TEST_CLUSTER}/backups/etcd/main`;
const MASTERLEASE = '/registry/masterleases/10.0.0.1';

const machines: TestMachine[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(machines.splice(0).map((machine) => machine.end()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Machines that share a store. All of them serve. */
async function cluster(
  etcd: TestEtcd,
  members: readonly string[],
): Promise<{ store: StateStore; first: TestMachine; all: readonly TestMachine[] }> {
  const store = await testStore();
  const ports = await freeEtcdPorts();
  const all: TestMachine[] = [];
  for (const member of members) {
    const folder = await mkdtemp(join(tmpdir(), 'etcd-restore-'));
    folders.push(folder);
    all.push(new TestMachine(folder, member, members, { ...etcd, ...ports }));
  }
  machines.push(...all);
  await Promise.all(all.map((machine) => machine.boot(store)));
  await Promise.all(all.map((machine) => machine.until(SERVING)));
  const [first] = all;
  if (first === undefined) throw new Error('there is a machine');
  return { store, first, all };
}

async function ask(store: StateStore, first: TestMachine, wish: Parameters<typeof writeCommand>[2]): Promise<string> {
  const name = await writeCommand(store, PATH, wish, Date.now());
  await first.until(async () => (await readOutcome(store, PATH, name)) !== undefined);
  return name;
}

async function restore(store: StateStore, first: TestMachine, backup: string) {
  const clusterSpec = { memberCount: first.config.members.length, etcdVersion: first.config.etcdVersion };
  return readOutcome(store, PATH, await ask(store, first, { action: 'restore-backup', backup, clusterSpec }));
}

async function newest(store: StateStore): Promise<string> {
  return (await listBackups(store, PATH)).at(-1)?.name ?? '';
}

const value = (machine: TestMachine, key: string) => machine.etcdctl('get', key, '--print-value-only');

const foldersOf = ({ config }: TestMachine) => readdirSync(join(config.mountPoint, 'data'));

describe.skipIf(etcd34 === undefined)('with etcd 3.4', () => {
  if (etcd34 === undefined) return;

  test('a restore waits for an API server on a machine without etcd, which etcd knows until it stops', async () => {
    const { store, first } = await cluster(etcd34, ['19']);
    await first.etcdctl('put', 'key', 'before');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    const granted = await first.etcdctl('lease', 'grant', '600');
    const lease = /lease (\S+) granted/.exec(granted)?.[1] ?? '';
    await first.etcdctl('put', MASTERLEASE, 'alive', '--lease', lease);

    const restored = restore(store, first, backup);
    await first.until('wait for the API server of 10.0.0.1 to stop');
    // Until then it can still write.
    await first.etcdctl('put', 'key', 'written meanwhile');
    expect((await readRestore(store, PATH))?.record.phase).toBe('stopping');
    await first.etcdctl('lease', 'revoke', lease);
    expect(await restored).toMatchObject({ result: 'done' });
    expect(await value(first, 'key')).toBe('before');
  });

  test('a restore brings back the backup without stale masterleases, and revisions never go back', async () => {
    const { store, first } = await cluster(etcd34, ['21']);
    await first.etcdctl('put', 'key', 'before');
    await first.etcdctl('put', MASTERLEASE, 'stale');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    await first.etcdctl('put', 'key', 'after');
    await first.etcdctl('put', 'late', 'lost');
    const seen = await first.revision();

    const outcome = await restore(store, first, backup);
    expect(outcome).toMatchObject({ result: 'done', message: expect.stringContaining(`restored ${backup}`) });
    expect(await value(first, 'key')).toBe('before');
    expect(await value(first, 'late')).toBe('');
    expect(await first.etcdctl('get', '--prefix', '/registry/masterleases/')).toBe('');
    expect(await first.revision()).toBeGreaterThan(seen);
    await expect(first.etcdctl('watch', 'key', '--rev', String(seen))).rejects.toThrow(/compacted/);
    expect(existsSync(first.manifest)).toBe(true);
    expect(await pendingCommands(store, PATH)).toEqual([]);

    // The data from before the restore is in the backup that the restore took, and can be restored in turn.
    const safety = (await readRestore(store, PATH))?.record.safetyBackup ?? '';
    expect(await restore(store, first, safety)).toMatchObject({ result: 'done' });
    expect(await value(first, 'late')).toBe('lost');
  });

  test('if a member cannot read the data from before, the next one backs it up, and the outcome says if none can', async () => {
    const { store, first, all } = await cluster(etcd34, ['21', '22', '23']);
    await first.etcdctl('put', 'key', 'before');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    /** Damages the database that a restore replaces, as soon as only its backup needs it. */
    const damage = (machine: TestMachine): void => {
      const folder = join(machine.config.mountPoint, 'data');
      const [old = ''] = foldersOf(machine);
      machine.onLine = (line) => {
        const isThere = line.includes('the API server may start again');
        if (isThere) truncateSync(join(folder, old, 'member', 'snap', 'db'), 8_192);
      };
    };
    await first.etcdctl('put', 'key', 'after');
    damage(first);
    expect(await restore(store, first, backup)).toMatchObject({ result: 'done' });
    const { safetyBackup = '' } = (await readRestore(store, PATH))?.record ?? {};
    const safety = await findBackup(store, PATH, safetyBackup);
    expect(safety?.facts).toMatchObject({ takenBy: '22', reason: `before restoring ${backup}` });
    await Promise.all(all.map((machine) => machine.until(() => foldersOf(machine).length === 1)));
    first.onLine = () => undefined;
    expect(await restore(store, first, safetyBackup)).toMatchObject({ result: 'done' });
    expect(await value(first, 'key')).toBe('after');

    await Promise.all(all.map((machine) => machine.until(() => foldersOf(machine).length === 1)));
    for (const machine of all) damage(machine);
    const outcome = await restore(store, first, backup);
    expect(outcome).toMatchObject({ result: 'done', message: expect.stringContaining('could not be backed up (21: ') });
    expect(await value(first, 'key')).toBe('before');
    await Promise.all(all.map((machine) => machine.until(() => foldersOf(machine).length === 1)));
    expect(readdirSync(join(first.config.mountPoint, 'data-trashcan'))).toHaveLength(1);
  });

  test('a backup can be restored again and again, even before a newer backup exists', async () => {
    const { store, first } = await cluster(etcd34, ['21']);
    await first.etcdctl('put', 'key', 'before');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    let seen = 0;
    for (const time of ['first', 'second', 'third']) {
      expect(await restore(store, first, backup)).toMatchObject({ result: 'done' });
      expect(await value(first, 'key')).toBe('before');
      expect(await first.revision()).toBeGreaterThan(seen);
      await first.etcdctl('put', 'key', time);
      seen = await first.revision();
    }
  });

  test('a backup is a snapshot that etcd accepts, names its content, and is verified on request', async () => {
    const { store, first } = await cluster(etcd34, ['21']);
    for (let index = 0; index < 20; index += 1) await first.etcdctl('put', `key-${index}`, 'value');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    const stored = await store.read(`${PATH}/${backup}/etcd.backup.gz`);
    const snapshot = join(first.config.mountPoint, 'check.db');
    await writeFile(snapshot, gunzipSync(stored?.bytes ?? new Uint8Array()));
    const [, revision, entries] = (await first.etcdctl('snapshot', 'status', snapshot)).split(', ');
    const facts = (await findBackup(store, PATH, backup))?.facts;
    expect([facts?.revision, facts?.entries]).toEqual([Number(revision), Number(entries)]);

    await ask(store, first, { action: 'verify' });
    const verified = (await findBackup(store, PATH, backup))?.verified;
    expect(verified).toMatchObject({ ok: true, keys: 20, revision: Number(revision) });

    await store.delete(`${PATH}/${backup}/etcd.backup.gz`);
    const half = (stored?.bytes ?? new Uint8Array()).subarray(0, 1000);
    await store.write(`${PATH}/${backup}/etcd.backup.gz`, half, { ifAbsent: true });
    const asked = await ask(store, first, { action: 'verify', backup });
    expect(await readOutcome(store, PATH, asked)).toMatchObject({ result: 'failed' });
    expect((await findBackup(store, PATH, backup))?.verified).toMatchObject({ ok: false });
    expect(await restore(store, first, backup)).toMatchObject({ result: 'refused' });
    expect(existsSync(first.manifest)).toBe(true);
  });

  test('with a key in the store backups are encrypted, verified and restored, and unusable without it', async () => {
    const { store, first } = await cluster(etcd34, ['21']);
    const secret = `${TEST_CLUSTER}/secrets/etcd-backup-key`;
    const key = Buffer.from(JSON.stringify({ Data: Buffer.alloc(32, 7).toString('base64') }));
    await store.write(secret, key, { ifAbsent: true });
    await first.etcdctl('put', 'key', 'a very secret value');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    const stored = await store.read(`${PATH}/${backup}/etcd.backup.gz.enc`);
    expect(stored?.bytes.byteLength).toBeGreaterThan(100);
    expect(await store.read(`${PATH}/${backup}/etcd.backup.gz`)).toBeUndefined();
    await ask(store, first, { action: 'verify' });
    expect((await findBackup(store, PATH, backup))?.verified).toMatchObject({ ok: true, keys: 1 });
    await first.etcdctl('put', 'key', 'later');
    expect(await restore(store, first, backup)).toMatchObject({ result: 'done' });
    expect(await value(first, 'key')).toBe('a very secret value');
    await store.delete(secret);
    expect(await restore(store, first, backup)).toMatchObject({
      result: 'failed',
      message: expect.stringContaining('it is encrypted'),
    });
    // Without the key the backup cannot be verified, which says nothing against the backup.
    await ask(store, first, { action: 'verify', backup });
    expect((await findBackup(store, PATH, backup))?.verified).toMatchObject({ ok: true });
  });

  test('a backup of kops is restored on three members, by a command file of kops', async () => {
    const { store, first, all } = await cluster(etcd34, ['21', '22', '23']);
    await first.etcdctl('put', 'key', 'kops');
    const snapshot = join(first.config.mountPoint, 'kops.db');
    await first.etcdctl('snapshot', 'save', snapshot);
    const backup = '2018-01-30T01:02:03Z-000009';
    const meta = {
      etcdVersion: '3.4.23',
      timestamp: '1517274123',
      clusterSpec: { memberCount: 3, etcdVersion: '3.4.23' },
    };
    const data = gzipSync(await readFile(snapshot));
    await store.write(`${PATH}/${backup}/etcd.backup.gz`, data, { ifAbsent: true });
    await store.write(`${PATH}/${backup}/_etcd_backup.meta`, Buffer.from(JSON.stringify(meta)), { ifAbsent: true });
    await first.etcdctl('put', 'key', 'later');
    const seen = await first.revision();

    const command = { timestamp: '1517274123000000000', restoreBackup: { clusterSpec: meta.clusterSpec, backup } };
    const name = '2026-11-21T01:02:03Z-000000';
    const file = `${PATH}/control/${name}/_command.json`;
    await store.write(file, Buffer.from(JSON.stringify(command)), { ifAbsent: true });
    await first.until(async () => (await readOutcome(store, PATH, name)) !== undefined);
    expect(await readOutcome(store, PATH, name)).toMatchObject({ result: 'done' });
    expect(await store.read(file)).toBeUndefined();
    for (const machine of all) {
      expect(await value(machine, 'key')).toBe('kops');
      expect(await machine.revision()).toBeGreaterThan(seen);
      await machine.until(() => existsSync(machine.manifest));
    }
    expect((await first.etcdctl('member', 'list')).split('\n')).toHaveLength(3);
    await first.etcdctl('put', 'key', 'goes on');
    for (const machine of all) expect(await value(machine, 'key')).toBe('goes on');
    const hashes = await Promise.all(all.map((machine) => machine.etcdctl('endpoint', 'hashkv')));
    expect(new Set(hashes.map((line) => line.split(', ')[1])).size).toBe(1);
  });

  test('a restore continues although all managers die at each of its steps', async () => {
    const { store, first, all } = await cluster(etcd34, ['21', '22', '23']);
    await first.etcdctl('put', 'key', 'before');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    await first.etcdctl('put', 'key', 'after');
    const seen = await first.revision();
    let deaths = 0;
    for (const machine of all) {
      const survived = new Set<string>();
      let life = Promise.resolve();
      machine.onLine = (line) => {
        // The line of a decision is logged just before its step is carried out. The manager dies once at each of them.
        if (!line.includes(' restore=2') || survived.has(line)) return;
        survived.add(line);
        deaths += 1;
        life = life.then(async () => {
          // Before the step, in the middle of it or just after it.
          await sleep(Math.random() * 60);
          await machine.stopManager();
          return machine.startManager(store);
        });
      };
    }
    expect(await restore(store, first, backup)).toMatchObject({ result: 'done' });
    for (const machine of all) machine.onLine = () => undefined;
    for (const machine of all) {
      await machine.until(() => existsSync(machine.manifest));
      await machine.until(async () => (await value(machine, 'key').catch(() => '')) === 'before');
      expect(await machine.revision()).toBeGreaterThan(seen);
    }
    expect(deaths).toBeGreaterThan(20);
  });

  test('after a permanent loss of quorum, a restore on the remaining machine brings the cluster back', async () => {
    const { store, first, all } = await cluster(etcd34, ['21', '22', '23']);
    await first.etcdctl('put', 'key', 'before');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    await Promise.all(all.slice(1).map((machine) => machine.end()));
    await first.until(async () => (await value(first, 'key').catch(() => undefined)) === undefined);
    expect(await restore(store, first, backup)).toMatchObject({
      result: 'done',
      message: expect.stringContaining(`restored ${backup}`),
    });
    expect(await value(first, 'key')).toBe('before');
    expect((await first.etcdctl('member', 'list')).split('\n')).toHaveLength(1);
  });

  test('a command that cannot be carried out is refused, with a recorded outcome', async () => {
    const { store, first } = await cluster(etcd34, ['21']);
    expect(await restore(store, first, '2018-01-30T01:02:03Z-000009')).toMatchObject({
      result: 'refused',
      message: 'there is no finished backup 2018-01-30T01:02:03Z-000009',
    });
    await store.write(`${PATH}/control/X/_command.json`, Buffer.from('{'), { ifAbsent: true });
    await first.until(async () => (await readOutcome(store, PATH, 'X')) !== undefined);
    expect(await readOutcome(store, PATH, 'X')).toMatchObject({
      result: 'refused',
      message: 'it is not a JSON object',
    });
    expect(await pendingCommands(store, PATH)).toEqual([]);
    expect(existsSync(first.manifest)).toBe(true);
  });

  test('a restore of a damaged backup changes nothing', async () => {
    const { store, first } = await cluster(etcd34, ['21']);
    await first.etcdctl('put', 'key', 'before');
    await ask(store, first, { action: 'backup' });
    const backup = await newest(store);
    const path = `${PATH}/${backup}/etcd.backup.gz`;
    const stored = Buffer.from((await store.read(path))?.bytes ?? []);
    stored.writeUInt8(stored.readUInt8(stored.byteLength - 100) ^ 1, stored.byteLength - 100);
    await store.delete(path);
    await store.write(path, stored, { ifAbsent: true });
    await first.etcdctl('put', 'key', 'after');
    expect(await restore(store, first, backup)).toMatchObject({ result: 'failed' });
    await first.until(() => existsSync(first.manifest));
    await first.until(async () => (await value(first, 'key').catch(() => '')) === 'after');
  });
});

describe.skipIf(etcd34 === undefined || etcd35 === undefined || etcd33 === undefined)('between versions', () => {
  if (etcd34 === undefined || etcd35 === undefined || etcd33 === undefined) return;

  const versions = casesOf(
    [['from 3.5 down to 3.4', etcd35, etcd34]] as const,
    [
      ['from 3.3 up to 3.5', etcd33, etcd35],
      ['within 3.3', etcd33, etcd33],
      ['within 3.5', etcd35, etcd35],
    ] as const,
  );

  test.each(versions)('a restore %s loses nothing', async (_, from, to) => {
    const { store, first, all } = await cluster(from, ['21', '22', '23']);
    await first.etcdctl('put', 'key', 'value');
    const seen = await first.revision();
    // The node plan names another version of etcd, while the old one still runs.
    for (const machine of all) await machine.stopManager();
    for (const machine of all) machine.changeEtcd(to);
    await beginRestore(
      { id: 'version', reason: 'changing the version' },
      0,
      undefined,
      first.config,
      store,
      AbortSignal.timeout(5000),
    );
    for (const machine of all) machine.startManager(store);
    await first.until(async () => (await readRestore(store, PATH))?.record.phase === 'done');
    for (const machine of all) {
      expect(await value(machine, 'key')).toBe('value');
      expect(await machine.revision()).toBeGreaterThan(seen);
      expect(await machine.etcdctl('endpoint', 'status', '-w', 'json')).toContain(`"version":"${to.version}"`);
    }
  });
});

describe.skipIf(etcd34 === undefined || etcd33 === undefined)('from etcd 2', () => {
  if (etcd34 === undefined || etcd33 === undefined) return;

  test('an etcd 2 backup of kops is verified, and restored as keys of version 3 on every member', async () => {
    const { store, first, all } = await cluster(etcd34, ['21', '22', '23']);
    await first.etcdctl('put', 'key', 'of etcd 3');
    const seen = await first.revision();
    const folder = await mkdtemp(join(tmpdir(), 'etcd2-'));
    folders.push(folder);
    const backup = '2018-01-30T01:02:03Z-000009';
    const data = await etcd2Backup(etcd33, folder, async (keys) => {
      for (const name of ['a', 'b', 'gone']) await keys.put(`/registry/pods/default/${name}`, `pod ${name}`);
      await keys.put('/registry/pods/default/a', 'pod a, changed');
      await keys.delete('/registry/pods/default/gone');
      await keys.put('/registry/events/default/e', 'an event', 3600);
      await keys.put('/registry/masterleases/10.0.0.1', 'stale', 15);
    });
    const meta = {
      etcdVersion: '2.2.1',
      timestamp: '1517274123',
      clusterSpec: { memberCount: 3, etcdVersion: '2.2.1' },
    };
    await store.write(`${PATH}/${backup}/etcd.backup.gz`, data, { ifAbsent: true });
    await store.write(`${PATH}/${backup}/_etcd_backup.meta`, Buffer.from(JSON.stringify(meta)), { ifAbsent: true });

    const verified = await readOutcome(store, PATH, await ask(store, first, { action: 'verify', backup }));
    expect(verified).toMatchObject({ result: 'done', message: expect.stringContaining(`verified ${backup}: 4 keys`) });
    expect(await restore(store, first, backup)).toMatchObject({ result: 'done' });
    for (const machine of all) {
      const keys = await machine.etcdctl('get', '--prefix', '/');
      expect(keys).toBe('/registry/pods/default/a\npod a, changed\n/registry/pods/default/b\npod b');
      expect(await value(machine, 'key')).toBe('');
      expect(await machine.revision()).toBeGreaterThan(seen);
    }
    const hashes = await Promise.all(all.map((machine) => machine.etcdctl('endpoint', 'hashkv')));
    expect(new Set(hashes.map((line) => line.split(', ')[1])).size).toBe(1);
  });

  test('an etcd 2 backup that is not a tar archive changes nothing', async () => {
    const { store, first } = await cluster(etcd34, ['21']);
    await first.etcdctl('put', 'key', 'stays');
    const backup = '2018-01-30T01:02:03Z-000009';
    const meta = {
      etcdVersion: '2.2.1',
      timestamp: '1517274123',
      clusterSpec: { memberCount: 1, etcdVersion: '2.2.1' },
    };
    await store.write(`${PATH}/${backup}/etcd.backup.gz`, gzipSync('no tar at all'), { ifAbsent: true });
    await store.write(`${PATH}/${backup}/_etcd_backup.meta`, Buffer.from(JSON.stringify(meta)), { ifAbsent: true });
    const outcome = await restore(store, first, backup);
    expect(outcome).toMatchObject({ result: 'failed', message: expect.stringContaining('it is not a tar archive') });
    await first.until(async () => (await value(first, 'key').catch(() => '')) === 'stays');
  });
});
