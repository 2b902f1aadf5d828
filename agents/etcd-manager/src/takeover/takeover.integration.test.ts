import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { printBackupMeta } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { readOutcome, writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import { findBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { readRestore, RESTORE_RECORD, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findTestEtcd, type TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freeEtcdPorts } from '@kopsctl/test-peers/free-port.ts';
import { etcd2Backup, runEtcd2, type RunningEtcd2 } from '@kopsctl/test-peers/etcd2.ts';
import { SERVING, TEST_CLUSTER, TestMachine, testStore } from '../../testing/machine.ts';
import { readLogExtent } from './log-position.ts';

const etcd33 = await findTestEtcd('3.3');
const etcd34 = await findTestEtcd('3.4');
const etcd35 = await findTestEtcd('3.5');

const PATH = `${TEST_CLUSTER}/backups/etcd/main`;
/** kops names folders by the cluster's token. */
const TOKEN = 'AbCdEf123';

/** Some of these tests wait for half a minute, so they run concurrently and clean up for themselves. */
type OnFinished = TestContext['onTestFinished'];

/** Machines that share a store and have not booted yet. `looks` counts how often the record of the restore was read. */
async function cluster(
  onFinished: OnFinished,
  wanted: TestEtcd,
  members: readonly string[],
): Promise<{ readonly store: StateStore; readonly all: readonly TestMachine[]; readonly looks: () => number }> {
  const memory = await testStore();
  let looks = 0;
  const store: StateStore = {
    ...memory,
    read(path, signal) {
      if (path === `${PATH}/${RESTORE_RECORD}`) looks += 1;
      return memory.read(path, signal);
    },
  };
  const ports = await freeEtcdPorts();
  const all: TestMachine[] = [];
  for (const member of members) {
    const folder = await mkdtemp(join(tmpdir(), 'takeover-'));
    const machine = new TestMachine(folder, member, members, { ...wanted, ...ports });
    onFinished(async () => {
      await machine.end();
      await rm(folder, { recursive: true, force: true });
    });
    all.push(machine);
  }
  return { store, all, looks: () => looks };
}

/** What kops's etcd-manager leaves behind: volumes with data of etcd 2, and a marker that names no token. */
async function leftByKops(
  onFinished: OnFinished,
  etcd: TestEtcd,
  wanted: TestEtcd,
  members: readonly string[],
  life: (keys: RunningEtcd2) => Promise<void>,
): ReturnType<typeof cluster> {
  const { store, all, looks } = await cluster(onFinished, wanted, members);
  const marker = Buffer.from('{"timestamp":"1517274123000000000"}');
  await store.write(`${PATH}/control/etcd-cluster-created`, marker, { ifAbsent: true });
  for (const { config } of all) await mkdir(join(config.mountPoint, 'data'), { recursive: true });
  const running = await runEtcd2(
    etcd,
    all.map((machine) => ({ address: machine.address, dataDir: dataOf(machine) })),
  );
  try {
    await life(running);
    // A lone member acknowledges a write while it still saves it, and begins the next one when it has.
    await running.put('/acknowledged-last', '');
  } finally {
    // The power fails.
    await Promise.all(all.map((_, at) => running.stop(at, 'SIGKILL')));
  }
  for (const machine of all) await rm(join(dataOf(machine), 'member', 'snap', 'db'));
  return { store, all, looks };
}

const dataOf = ({ config }: TestMachine): string => join(config.mountPoint, 'data', TOKEN);
const trashOf = ({ config }: TestMachine): string => join(config.mountPoint, 'data-trashcan', TOKEN);

async function put(keys: RunningEtcd2, from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += 1) await keys.put(`/registry/pods/default/pod-${at}`, `of etcd 2, ${at}`);
}

async function expectAll(machine: TestMachine, keys: number): Promise<void> {
  const lines = (await machine.etcdctl('get', '--prefix', '/registry/pods/')).split('\n');
  const pod = (at: number): [string, string] => [`/registry/pods/default/pod-${at + 1}`, `of etcd 2, ${at + 1}`];
  const expected = Array.from({ length: keys }, (_, at) => pod(at));
  const found = lines.flatMap((line, at): [string, string][] => (at % 2 === 0 ? [[line, lines[at + 1] ?? '']] : []));
  expect(new Map(found)).toEqual(new Map(expected));
}

async function recordIn(store: StateStore): Promise<RestoreRecord | undefined> {
  return (await readRestore(store, PATH))?.record;
}

const isDone = (store: StateStore) => async (): Promise<boolean> => (await recordIn(store))?.phase === 'done';

/** Every file of a folder, by its hash. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const paths = globSync('**', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  const hash = (path: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
  return Object.fromEntries(paths.map((path) => [path, hash(path)]));
}

describe.skipIf(etcd33 === undefined || etcd34 === undefined)('Data of etcd 2', () => {
  if (etcd33 === undefined || etcd34 === undefined) return;

  test.for([
    { version: '3.4', wanted: etcd34, many: 50 },
    // Too few for a snapshot, so the log begins with the entries about members.
    { version: '3.3', wanted: etcd33, many: 10 },
  ])(
    'is converted by etcd $version on one machine, and later looks do nothing',
    async ({ wanted, many }, { onTestFinished }) => {
      const { store, all, looks } = await leftByKops(onTestFinished, etcd33, wanted, ['41'], async (keys) => {
        await put(keys, 1, many);
        await keys.put('/registry/masterleases/10.0.0.1', 'stale', 3600);
      });
      const [first] = all;
      if (first === undefined) return;
      const before = contentsOf(dataOf(first));
      await first.boot(store);
      await first.until(isDone(store));
      await expectAll(first, many);
      expect(await first.etcdctl('get', '--prefix', '/registry/masterleases/')).toBe('');
      await first.until(() => existsSync(trashOf(first)));
      expect(contentsOf(trashOf(first))).toEqual(before);
      expect(existsSync(first.manifest)).toBe(true);

      const record = await recordIn(store);
      const backup = await findBackup(store, PATH, record?.backup ?? '');
      expect(backup).toMatchObject({ meta: { etcdVersion: '2.2.1' }, facts: { takenBy: '41' } });
      expect(record?.safetyBackup).toBe(record?.backup);
      const wish = { action: 'verify', backup: record?.backup ?? '' } as const;
      const asked = await writeCommand(store, PATH, wish, Date.now());
      await first.until(async () => (await readOutcome(store, PATH, asked)) !== undefined);
      expect(await readOutcome(store, PATH, asked)).toMatchObject({ result: 'done' });

      await first.stopManager();
      first.lines.splice(0);
      first.startManager(store);
      await first.until(SERVING);
      const seen = looks();
      await first.until(() => looks() > seen + 2);
      expect(await recordIn(store)).toEqual(record);
      expect(await listBackups(store, PATH)).toHaveLength(1);
      await expectAll(first, many);
    },
  );

  test('of three machines is converted from the log that reaches furthest, while a machine that lags behind leads', async ({
    onTestFinished,
  }) => {
    const { store, all } = await leftByKops(onTestFinished, etcd33, etcd34, ['41', '42', '43'], async (keys) => {
      await put(keys, 1, 30);
      await keys.stop(0);
      await put(keys, 31, 70);
    });
    const [lagging, ...others] = all;
    if (lagging === undefined) return;
    const logs = await Promise.all(all.map((machine) => readLogExtent(dataOf(machine))));
    expect(logs[0]?.last.index).toBeLessThan(logs[1]?.last.index ?? 0);
    await lagging.boot(store);
    await lagging.until('nobody has led yet');
    // Alone it may lack acknowledged writes.
    await lagging.until('wait for a majority of 41, 42, 43 to report their etcd 2 data');
    expect(await recordIn(store)).toBeUndefined();
    await Promise.all(others.map((machine) => machine.boot(store)));
    await lagging.until('convert the etcd 2 data of');
    await lagging.until(isDone(store));
    const record = await recordIn(store);
    expect(record?.members).toEqual(['41', '42', '43']);
    expect((await findBackup(store, PATH, record?.backup ?? ''))?.facts?.takenBy).not.toBe('41');
    for (const machine of all) {
      await expectAll(machine, 70);
      await machine.until(() => existsSync(trashOf(machine)));
      expect(readdirSync(join(machine.config.mountPoint, 'data'))).toEqual([record?.token]);
    }
    const hashes = await Promise.all(all.map((machine) => machine.etcdctl('endpoint', 'hashkv')));
    expect(new Set(hashes.map((line) => line.split(', ')[1])).size).toBe(1);
  });

  test('with a damaged log is not counted, and the other two machines are a majority', async ({ onTestFinished }) => {
    const { store, all } = await leftByKops(onTestFinished, etcd33, etcd34, ['41', '42', '43'], (keys) =>
      put(keys, 1, 40),
    );
    const [first] = all;
    if (first === undefined) return;
    const [log = ''] = globSync(join(dataOf(first), 'member', 'wal', '*.wal'));
    await using file = await open(log, 'r+');
    await file.write('not what etcd has written', 300);
    await Promise.all(all.map((machine) => machine.boot(store)));
    await first.until('the data of etcd 2 cannot be used member=41 error="the log is damaged');
    await first.until(isDone(store));
    for (const machine of all) await expectAll(machine, 40);
    expect(Object.keys((await recordIn(store))?.stopped ?? {}).toSorted()).toEqual(['42', '43']);
  });

  test.concurrent('of two of three machines is converted, and the third machine sets its data aside and joins later', async ({
    onTestFinished,
  }) => {
    const { store, all } = await leftByKops(onTestFinished, etcd33, etcd34, ['41', '42', '43'], async (keys) => {
      await put(keys, 1, 30);
      await keys.stop(2);
      await put(keys, 31, 40);
    });
    const [first, second, third] = all;
    if (first === undefined || second === undefined || third === undefined) return;
    await Promise.all([first.boot(store), second.boot(store)]);
    await first.until(isDone(store));
    await expectAll(first, 40);
    const before = contentsOf(dataOf(third));
    await third.boot(store);
    await third.until(SERVING);
    await third.until(() => existsSync(trashOf(third)));
    expect(contentsOf(trashOf(third))).toEqual(before);
    await expectAll(third, 40);
  });

  test.concurrent('of one of three machines is backed up before a person restores another backup', async ({
    onTestFinished,
  }) => {
    const { store, all } = await leftByKops(onTestFinished, etcd33, etcd34, ['41', '42', '43'], (keys) =>
      put(keys, 1, 40),
    );
    const [first] = all;
    if (first === undefined) return;
    const folder = await mkdtemp(join(tmpdir(), 'takeover-backup-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const backup = '2018-01-30T01:02:03Z-000009';
    const data = await etcd2Backup(etcd33, folder, (keys) => keys.put('/registry/pods/default/pod-1', 'of etcd 2, 1'));
    const spec = { memberCount: 3, etcdVersion: '2.2.1' };
    await store.write(`${PATH}/${backup}/etcd.backup.gz`, data, { ifAbsent: true });
    const meta = Buffer.from(printBackupMeta(spec, Date.parse('2018-01-30T01:02:03Z')));
    await store.write(`${PATH}/${backup}/_etcd_backup.meta`, meta, { ifAbsent: true });
    await first.boot(store);
    await first.until('wait for a majority of');
    const clusterSpec = { memberCount: 3, etcdVersion: etcd34.version };
    await writeCommand(store, PATH, { action: 'restore-backup', backup, clusterSpec }, Date.now());
    await first.until(isDone(store));
    await expectAll(first, 1);
    const { safetyBackup = '' } = (await recordIn(store)) ?? {};
    const saved = await findBackup(store, PATH, safetyBackup);
    expect(saved).toMatchObject({ meta: { etcdVersion: '2.2.1' }, facts: { takenBy: '41' } });
    await first.until(() => existsSync(trashOf(first)));
  });

  test('is unchanged after a conversion that fails, and a person can start another attempt', async ({
    onTestFinished,
  }) => {
    const { store, all, looks } = await leftByKops(onTestFinished, etcd33, etcd34, ['41'], (keys) => put(keys, 1, 40));
    const [first] = all;
    if (first === undefined) return;
    const before = contentsOf(dataOf(first));
    // A file is in the way of the folder for the copy.
    const outgoing = join(first.config.mountPoint, 'outgoing');
    await writeFile(outgoing, '');
    await first.boot(store);
    await first.until('converting the etcd 2 data has failed and has not changed it: saving: 41: ');
    await first.until('remove control/restore.json of this etcd cluster from the store, which starts another attempt');
    expect(existsSync(first.manifest)).toBe(true);
    expect(contentsOf(dataOf(first))).toEqual(before);
    expect(await listBackups(store, PATH)).toEqual([]);
    const seen = looks();
    await first.until(() => looks() > seen + 2);
    expect((await recordIn(store))?.phase).toBe('failed');

    await rm(outgoing);
    await store.delete(`${PATH}/control/restore.json`);
    await first.until(isDone(store));
    await expectAll(first, 40);
  });

  test('is converted although the manager restarts at every step', async ({ onTestFinished }) => {
    const { store, all } = await leftByKops(onTestFinished, etcd33, etcd34, ['41'], (keys) => put(keys, 1, 50));
    const [first] = all;
    if (first === undefined) return;
    // The remains of a manager that was killed during the backup.
    const left = join(first.config.mountPoint, 'outgoing', '99999999-killed');
    await mkdir(join(left, 'copy'), { recursive: true });
    await first.boot(store);
    for (const step of [
      'gathering',
      ': keep ',
      'holds all of the data',
      ': restore ',
      'switch over to the restored cluster',
    ]) {
      await first.until(step === 'gathering' ? async () => (await recordIn(store)) !== undefined : step);
      await first.stopManager();
      first.startManager(store);
    }
    await first.until(isDone(store));
    await expectAll(first, 50);
    await first.until(() => existsSync(trashOf(first)));
    expect(existsSync(left)).toBe(false);
  });
});

describe.skipIf(etcd34 === undefined)('A lost database', () => {
  if (etcd34 === undefined) return;

  test('of an etcd 3 that has served is not mistaken for data of etcd 2', async ({ onTestFinished }) => {
    const { store, all } = await cluster(onTestFinished, etcd34, ['41']);
    const [first] = all;
    if (first === undefined) return;
    await first.boot(store);
    await first.until(SERVING);
    await first.etcdctl('put', 'key', 'value');
    await first.end();
    const [database = ''] = globSync(join(first.config.mountPoint, 'data', '*', 'member', 'snap', 'db'));
    await rm(database);
    first.lines.splice(0);
    first.startManager(store);
    await first.until(SERVING);
    // etcd recreates the database from its log, which is short.
    expect(await first.etcdctl('get', 'key', '--print-value-only')).toBe('value');
  });
});

describe.skipIf(etcd33 === undefined || etcd35 === undefined)('Data of etcd 2, with etcd 3.5 wanted,', () => {
  if (etcd33 === undefined || etcd35 === undefined) return;

  test('is left unchanged, and the manager says which version to set', async ({ onTestFinished }) => {
    const { store, all, looks } = await leftByKops(onTestFinished, etcd33, etcd35, ['41'], (keys) => put(keys, 1, 10));
    const [first] = all;
    if (first === undefined) return;
    const before = contentsOf(dataOf(first));
    await first.boot(store);
    await first.until('set spec.etcdClusters[].version to 3.4');
    const seen = looks();
    await first.until(() => looks() > seen + 2);
    expect(contentsOf(dataOf(first))).toEqual(before);
    expect(readdirSync(join(first.config.mountPoint, 'data'))).toEqual([TOKEN]);
    expect(await recordIn(store)).toBeUndefined();
    expect(first.lines.some((line) => line.includes(': start '))).toBe(false);
  });
});
