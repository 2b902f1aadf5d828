import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { TestEtcd } from './etcd.ts';
import { freeEtcdPorts } from './free-port.ts';

/** Writes keys through the version 2 API. */
export interface Etcd2Keys {
  put(key: string, value: string, ttlSeconds?: number): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A running cluster. Keys are written through the first member that still runs. */
export interface RunningEtcd2 extends Etcd2Keys {
  /** The client URL of each member. */
  readonly urls: readonly string[];
  stop(at: number, signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Runs a cluster with one member for each data folder, each at its own address. It uses the version 2 API of etcd 3,
 * whose log and store are those of etcd 2, because Debian has no etcd 2.
 */
export async function runEtcd2(
  etcd: TestEtcd,
  members: readonly { readonly address: string; readonly dataDir: string }[],
): Promise<RunningEtcd2> {
  const { clientPort, peerPort } = await freeEtcdPorts();
  const nameOf = (at: number): string => `etcd-${at}`;
  const cluster = members.map(({ address }, at) => `${nameOf(at)}=http://${address}:${peerPort}`).join(',');
  const running = members.map(({ address, dataDir }, at) => {
    const url = `http://${address}:${clientPort}`;
    const peerUrl = `http://${address}:${peerPort}`;
    // A low count, so that the log has snapshots, as it has after a long run.
    const args = ['--name', nameOf(at), '--data-dir', dataDir, '--enable-v2=true', '--snapshot-count=20'];
    const child = spawn(join(etcd.binDir, 'etcd'), args, {
      env: {
        ETCD_LISTEN_CLIENT_URLS: url,
        ETCD_ADVERTISE_CLIENT_URLS: url,
        ETCD_LISTEN_PEER_URLS: peerUrl,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: peerUrl,
        ETCD_INITIAL_CLUSTER: cluster,
      },
      stdio: 'ignore',
    });
    return { url, child };
  });
  const stop = async (at: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const child = running[at]?.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const send = async (key: string, method: string, fields: Readonly<Record<string, string>> = {}): Promise<void> => {
    const member = running.find(({ child }) => child.exitCode === null && child.signalCode === null);
    const body = method === 'PUT' ? { body: new URLSearchParams(fields) } : {};
    const answer = await fetch(`${member?.url ?? ''}/v2/keys${key}`, { method, ...body });
    if (!answer.ok) throw new Error(`etcd answered ${answer.status} to ${method} ${key}`);
  };
  const giveUpAtMs = performance.now() + 30_000;
  for (const { url } of running) {
    const serves = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await serves())) {
      if (performance.now() > giveUpAtMs) {
        for (const at of running.keys()) await stop(at, 'SIGKILL');
        throw new Error(`etcd ${etcd.version} does not serve`);
      }
      await sleep(100);
    }
  }
  return {
    urls: running.map(({ url }) => url),
    stop,
    put: (key, value, ttlSeconds) =>
      send(key, 'PUT', { value, ...(ttlSeconds !== undefined && { ttl: String(ttlSeconds) }) }),
    delete: (key) => send(key, 'DELETE'),
  };
}

/** A backup of etcd 2 as kops packs it: the output of `etcdctl backup` in a gzipped tar. */
export async function etcd2Backup(
  etcd: TestEtcd,
  folder: string,
  write: (keys: Etcd2Keys) => Promise<void>,
): Promise<Buffer> {
  const data = join(folder, 'data');
  const running = await runEtcd2(etcd, [{ address: '127.0.0.1', dataDir: data }]);
  try {
    await write(running);
  } finally {
    await running.stop(0);
  }
  const backup = join(folder, 'backup');
  await execa(join(etcd.binDir, 'etcdctl'), ['backup', '--data-dir', data, '--backup-dir', backup], {
    env: { ETCDCTL_API: '2' },
  });
  await execa('tar', ['-czf', join(folder, 'backup.tgz'), '-C', backup, '.']);
  return readFile(join(folder, 'backup.tgz'));
}
