import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { clientFiles } from '@kopsctl/etcd-manager/etcd/certificates.ts';
import { findTestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freeEtcdPorts, freePort } from '@kopsctl/test-peers/free-port.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { ensureKeyset } from '@kopsctl/pki/testing/ensure-keyset.ts';
import { readOutcome, writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import { findBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { createFileStore } from '@kopsctl/state-store/file/file-store.ts';
import { readRestore, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { bundleProcess } from './bundle-process.ts';
import { peakMiB } from './child-process.ts';
import { fillEtcd } from './etcd-fill.ts';
import { median } from './median.ts';
import { benchConfig, credentialFlags, startManager, stopManager, type BenchMachine } from './etcd-machines.ts';
import { until } from './until.ts';

/**
 * Backs up and restores half a gigabyte with real managers and real etcd, compared with etcd's own tools on the same
 * database in the same run. `node test/bench/src/etcd-backup.ts [members] [keys] [rounds]`
 */
const [members = 1, keys = 48_000, rounds = 3] = process.argv.slice(2).map(Number);
const CLUSTER = 'bench.example.com';

const etcd = await findTestEtcd('3.4');
if (etcd === undefined) process.exit(0);
const { binDir } = etcd;
const root = await mkdtemp(join(tmpdir(), 'kopsctl-etcd-bench-'));
const managers: ChildProcess[] = [];
try {
  const store = createFileStore(`file://${root}/state`);
  for (const name of ['etcd-peers-ca-main', 'etcd-clients-ca']) {
    await ensureKeyset(store, CLUSTER, name, () => createCertificateAuthority({ commonName: name, nowMs: Date.now() }));
  }
  const script = await bundleProcess(join(import.meta.dirname, 'etcd-manager-process.ts'), root);
  const names = Array.from({ length: members }, (_, index) => String(31 + index));
  const ports = await freeEtcdPorts();
  const machines = names.map((member): BenchMachine => {
    const place = { folder: join(root, member), storeUrl: store.url, address: `127.0.0.${member}` };
    return { cluster: CLUSTER, ...place, member, members: names, ...etcd, ...ports };
  });
  const [first] = machines;
  if (first === undefined) throw new Error('at least one machine is needed');
  for (const machine of machines) managers.push(await startManager(machine, script));
  const etcdctl = (...args: readonly string[]) =>
    execa(join(binDir, 'etcdctl'), [...credentialFlags(first), ...args], { env: { ETCDCTL_API: '3' } });
  const answers = () =>
    etcdctl('get', 'nothing').then(
      () => true,
      () => false,
    );
  await until('etcd serves', answers);
  const restMiB = Math.max(...(await Promise.all(managers.map(peakMiB))));
  process.stderr.write(`filling ${keys} keys; the managers have ${restMiB.toFixed(0)} MiB so far\n`);
  await fillEtcd(first, keys);
  const { backupPath } = benchConfig(first);
  const ask = async (wish: Parameters<typeof writeCommand>[2]): Promise<string> => {
    const name = await writeCommand(store, backupPath, wish, Date.now());
    await until(wish.action, async () => (await readOutcome(store, backupPath, name)) !== undefined, 300_000);
    const outcome = await readOutcome(store, backupPath, name);
    if (outcome?.result !== 'done') throw new Error(`${wish.action}: ${outcome?.message ?? ''}`);
    return name;
  };

  const rows: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const snapshot = join(root, 'own.db');
    const own = await timed(async () => {
      await etcdctl('snapshot', 'save', snapshot);
      await execa('gzip', ['-1', '--stdout', snapshot], { stdout: { file: join(root, 'own.gz') }, buffer: false });
    });
    await ask({ action: 'backup' });
    const backup = (await listBackups(store, backupPath)).at(-1)?.name ?? '';
    const { facts } = (await findBackup(store, backupPath, backup)) ?? {};
    if (facts === undefined) throw new Error('the backup has no facts');
    const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
    rows.push(
      `| ${mib((await stat(snapshot)).size)} → ${mib(facts.storedBytes)} MiB | ${own.toFixed(1)} | ` +
        `${(facts.durationMs / 1000).toFixed(1)} | ${(own / (facts.durationMs / 1000)).toFixed(2)} | ` +
        `${Math.max(...(await Promise.all(managers.map(peakMiB)))).toFixed(0)} |`,
    );
  }
  process.stdout.write(
    '| database → stored | save, gzip -1: s | backup: s | throughput, etcdctl = 1 | manager peak MiB |\n',
  );
  process.stdout.write(`|---|---|---|---|---|\n${rows.join('\n')}\n\n`);

  const clusterSpec = { memberCount: members, etcdVersion: etcd.version };
  const ratios: number[] = [];
  const unpackedRatios: number[] = [];
  const verifySeconds: number[] = [];
  process.stdout.write(
    '| load | gunzip, etcdctl, start: s | API servers may run: s | theirs = 1 | without gunzip | phases: s | etcd away: s | all backed up: s | manager peak MiB |\n' +
      '|---|---|---|---|---|---|---|---|---|\n',
  );
  for (let round = 1; round <= rounds; round += 1) {
    // Like scheduled backups, this one is verified before it is needed.
    verifySeconds.push(await timed(() => ask({ action: 'verify' })));
    const theirs = await restoreWithEtcdctl(join(root, 'own.gz'));
    const backup = (await listBackups(store, backupPath)).at(-1)?.name ?? '';
    const watched = new AbortController();
    const began = watchPhases(() => readRestore(store, backupPath), watched.signal);
    const away = watchHealth(first, watched.signal);
    const startedMs = performance.now();
    await ask({ action: 'restore-backup', backup, clusterSpec });
    const doneSeconds = (performance.now() - startedMs) / 1000;
    watched.abort();
    const secondsTo = new Map([...(await began)].map(([phase, atMs]) => [phase, (atMs - startedMs) / 1000]));
    const ours = secondsTo.get('keeping') ?? doneSeconds;
    await until('etcd serves again', answers);
    unpackedRatios.push(ours / (theirs.restore + theirs.start));
    ratios.push(ours / (theirs.unpack + theirs.restore + theirs.start));
    const phases = [...secondsTo].map(([phase, seconds]) => `${phase} ${seconds.toFixed(1)}`).join(', ');
    const peak = Math.max(...(await Promise.all(managers.map(peakMiB))));
    process.stdout.write(
      `| ${(loadavg()[0] ?? 0).toFixed(0)} | ${theirs.unpack.toFixed(1)} + ${theirs.restore.toFixed(1)} + ${theirs.start.toFixed(1)} | ` +
        `${ours.toFixed(1)} | ${(ratios.at(-1) ?? 0).toFixed(2)} | ${(unpackedRatios.at(-1) ?? 0).toFixed(2)} | ${phases} | ${(await away).toFixed(1)} | ${doneSeconds.toFixed(1)} | ${peak.toFixed(0)} |\n`,
    );
  }
  process.stdout.write(
    `${members} members: median ${median(ratios).toFixed(2)}, without gunzip ${median(unpackedRatios).toFixed(2)}; verify ${median(verifySeconds).toFixed(1)} s\n`,
  );

  /**
   * Restores all members at once from what is stored, as an operator would on each machine, then starts each of them as a
   * separate cluster until it is healthy.
   */
  async function restoreWithEtcdctl(stored: string): Promise<Readonly<Record<'unpack' | 'restore' | 'start', number>>> {
    const folders = names.map((member) => join(root, `own-${member}`));
    const unpack = await timed(() =>
      Promise.all(
        folders.map((folder) =>
          execa('gunzip', ['--stdout', stored], { stdout: { file: `${folder}.db` }, buffer: false }),
        ),
      ),
    );
    const program = join(binDir, 'etcdctl');
    const env = { ETCDCTL_API: '3' };
    const restore = await timed(() =>
      Promise.all(
        folders.map((folder) => execa(program, ['snapshot', 'restore', `${folder}.db`, '--data-dir', folder], { env })),
      ),
    );
    const start = await timed(() => Promise.all(folders.map((folder) => startRestored(binDir, folder))));
    for (const folder of folders) {
      await rm(folder, { recursive: true });
      await rm(`${folder}.db`);
    }
    return { unpack, restore, start };
  }
} finally {
  await Promise.all(managers.map(stopManager));
  await rm(root, { recursive: true, force: true });
}

/** When each phase of a restore was first observed, by the monotonic clock. */
async function watchPhases(
  read: () => Promise<StoredRecord | undefined>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const began = new Map<string, number>();
  const earlier = (await read())?.record.token;
  while (!signal.aborted) {
    const record = (await read())?.record;
    if (record !== undefined && record.token !== earlier && !began.has(record.phase)) {
      began.set(record.phase, performance.now());
    }
    await sleep(50);
  }
  return began;
}

/** The longest time in which an etcd was not healthy, in seconds. */
async function watchHealth(machine: BenchMachine, signal: AbortSignal): Promise<number> {
  const files = clientFiles(benchConfig(machine).mountPoint);
  const [ca, cert, key] = await Promise.all([readFile(files.ca), readFile(files.cert), readFile(files.key)]);
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  let longestMs = 0;
  let lastMs = performance.now();
  while (!signal.aborted) {
    const url = `https://${machine.address}:${machine.clientPort}/health`;
    const isHealthy = await new Promise<boolean>((resolve) => {
      const asked = get(url, { agent, timeout: 1_000 }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      });
      asked.once('timeout', () => asked.destroy());
      asked.once('error', () => resolve(false));
    });
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    if (isHealthy) lastMs = nowMs;
    await sleep(100);
  }
  agent.destroy();
  return longestMs / 1000;
}

/** Starts an etcd on restored data, waits until it is healthy, and stops it. */
async function startRestored(binDir: string, dataDir: string): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const flags = ['--data-dir', dataDir, '--listen-client-urls', url, '--advertise-client-urls', url];
  const peer = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(join(binDir, 'etcd'), [...flags, '--listen-peer-urls', peer], { stdio: 'ignore' });
  try {
    await until(
      'the restored etcd becomes healthy',
      async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok === true,
    );
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}
