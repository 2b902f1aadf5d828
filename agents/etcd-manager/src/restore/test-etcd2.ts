import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { freeEtcdPorts, type TestEtcd } from './test-etcds.ts';

export interface Etcd2Keys {
  put(key: string, value: string, ttlSeconds?: number): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Members of a cluster that run: keys are written at the first of them that still does. */
export interface RunningEtcd2 extends Etcd2Keys {
  /** Where each listens for clients. */
  readonly urls: readonly string[];
  stop(at: number, signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Runs etcd 3.3 (or another one that has it) for its version 2 interface, whose log and store are those of etcd 2 (Debian has no older one): one
 * member for each data folder, each at an address of its own.
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
    // Snapshots as an etcd that ran for long has them.
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
        throw new Error('etcd 3.3 does not serve');
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

/** A backup of etcd 2 as kops packs it: `etcdctl backup`, then tar and gzip. */
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
