import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { findTestEtcd, freePort } from '@kopsctl/etcd-manager/restore/test-etcds.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { ensureKeyset } from '@kopsctl/pki/keyset-store.ts';
import { readOutcome, writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import { findBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { createFileStore } from '@kopsctl/state-store/file/file-store.ts';
import { readRestore, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { fillEtcd } from './etcd-fill.ts';
import {
  benchConfig,
  bundleManager,
  credentialFlags,
  peakMiB,
  startManager,
  stopManager,
  until,
  type BenchMachine,
} from './etcd-machines.ts';

/**
 * Backup and restore of half a gigabyte, by real managers against real etcd, beside etcd's own tools on the same
 * database in the same run. `node test/bench/src/etcd-backup.ts [members] [keys] [rounds]`
 */
const [members = 1, keys = 48_000, rounds = 3] = process.argv.slice(2).map(Number);
const CLUSTER = 'bench.example.com';

const etcd = findTestEtcd('3.4', 'the benchmark of backups');
if (etcd === undefined) process.exit(0);
const root = await mkdtemp(join(tmpdir(), 'kopsctl-etcd-bench-'));
const managers: ChildProcess[] = [];
try {
  const store = createFileStore(`file://${root}/state`);
  for (const name of ['etcd-peers-ca-main', 'etcd-clients-ca']) {
    await ensureKeyset(store, CLUSTER, name, () => createCertificateAuthority({ commonName: name, nowMs: Date.now() }));
  }
  const script = await bundleManager(root);
  const names = Array.from({ length: members }, (_, index) => String(31 + index));
  const ports = { clientPort: await freePort(), peerPort: await freePort() };
  const machines = names.map((member): BenchMachine => {
    const place = { folder: join(root, member), storeUrl: store.url, address: `127.0.0.${member}` };
    return { cluster: CLUSTER, ...place, member, members: names, ...etcd, ...ports };
  });
  const [first] = machines;
  if (first === undefined) throw new Error('there is a machine');
  for (const machine of machines) managers.push(await startManager(machine, script));
  const etcdctl = (...args: readonly string[]) =>
    execa(join(etcd.binDir, 'etcdctl'), [...credentialFlags(first), ...args], { env: { ETCDCTL_API: '3' } });
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
    if (facts === undefined) throw new Error('the backup has facts');
    const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
    rows.push(
      `| ${mib((await stat(snapshot)).size)} → ${mib(facts.storedBytes)} MiB | ${own.toFixed(1)} | ` +
        `${(facts.durationMs / 1000).toFixed(1)} | ${(own / (facts.durationMs / 1000)).toFixed(2)} | ` +
        `${Math.max(...(await Promise.all(managers.map(peakMiB)))).toFixed(0)} |`,
    );
  }
  process.stdout.write(
    '| database → stored | save, gzip -1: s | backup: s | throughput, theirs = 1 | manager peak MiB |\n',
  );
  process.stdout.write(`|---|---|---|---|---|\n${rows.join('\n')}\n\n`);

  const snapshot = join(root, 'own.db');
  const own = await timed(() =>
    Promise.all(
      machines.map(({ member }) =>
        execa(
          join(etcd.binDir, 'etcdctl'),
          ['snapshot', 'restore', snapshot, '--data-dir', join(root, `own-${member}`)],
          {
            env: { ETCDCTL_API: '3' },
          },
        ),
      ),
    ),
  );
  const started = await timed(() =>
    Promise.all(machines.map(({ member }) => startRestored(etcd.binDir, join(root, `own-${member}`)))),
  );
  const backup = (await listBackups(store, backupPath)).at(-1)?.name ?? '';
  const clusterSpec = { memberCount: members, etcdVersion: etcd.version };
  const phases = new Map<string, number>();
  const restored = new AbortController();
  const watching = watchPhases(() => readRestore(store, backupPath), phases, restored.signal);
  const ours = await timed(() => ask({ action: 'restore-backup', backup, clusterSpec }));
  restored.abort();
  await watching;
  await until('etcd serves again', answers);
  const proof = await timed(() => ask({ action: 'verify', backup }));
  process.stdout.write(
    `${members} members: etcdctl snapshot restore on all at once ${own.toFixed(1)} s, start until all serve ` +
      `${started.toFixed(1)} s; ours from command to done, with the backup of what is there ${ours.toFixed(1)} s ` +
      `(${[...phases].map(([phase, seconds]) => `${phase} ${seconds.toFixed(1)}`).join(', ')}); ` +
      `verify ${proof.toFixed(1)} s; ` +
      `managers' peak ${Math.max(...(await Promise.all(managers.map(peakMiB)))).toFixed(0)} MiB\n`,
  );
} finally {
  await Promise.all(managers.map(stopManager));
  await rm(root, { recursive: true, force: true });
}

/** How long a restore is in each of its phases, in seconds. */
async function watchPhases(
  read: () => Promise<StoredRecord | undefined>,
  phases: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  let last = { phase: '', sinceMs: 0 };
  while (!signal.aborted) {
    const phase = (await read())?.record.phase ?? '';
    if (phase !== last.phase) {
      const nowMs = performance.now();
      if (last.phase !== '') phases.set(last.phase, (nowMs - last.sinceMs) / 1000);
      last = { phase, sinceMs: nowMs };
    }
    await sleep(20);
  }
}

/** Starts an etcd on restored data, waits until it serves, and ends it. */
async function startRestored(binDir: string, dataDir: string): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const flags = ['--data-dir', dataDir, '--listen-client-urls', url, '--advertise-client-urls', url];
  const peer = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(join(binDir, 'etcd'), [...flags, '--listen-peer-urls', peer], { stdio: 'ignore' });
  try {
    await until(
      'the restored etcd serves',
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
