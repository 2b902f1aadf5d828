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

/**
 * A backup of etcd 2 as kops packs it: written through the version 2 interface of an etcd 3.3, whose log and store are
 * those of etcd 2 (Debian has no older one), then `etcdctl backup`, then tar and gzip.
 */
export async function etcd2Backup(
  etcd: TestEtcd,
  folder: string,
  write: (keys: Etcd2Keys) => Promise<void>,
): Promise<Buffer> {
  const { clientPort, peerPort } = await freeEtcdPorts();
  const url = `http://127.0.0.1:${clientPort}`;
  const data = join(folder, 'data');
  const child = spawn(join(etcd.binDir, 'etcd'), ['--data-dir', data, '--enable-v2=true'], {
    env: {
      ETCD_LISTEN_CLIENT_URLS: url,
      ETCD_ADVERTISE_CLIENT_URLS: url,
      ETCD_LISTEN_PEER_URLS: `http://127.0.0.1:${peerPort}`,
    },
    stdio: 'ignore',
  });
  const send = async (key: string, method: string, fields: Readonly<Record<string, string>> = {}): Promise<void> => {
    const body = method === 'PUT' ? { body: new URLSearchParams(fields) } : {};
    const answer = await fetch(`${url}/v2/keys${key}`, { method, ...body });
    if (!answer.ok) throw new Error(`etcd answered ${answer.status} to ${method} ${key}`);
  };
  try {
    const giveUpAtMs = performance.now() + 30_000;
    while (
      !(await fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (performance.now() > giveUpAtMs) throw new Error('etcd 3.3 does not serve');
      await sleep(100);
    }
    await write({
      put: (key, value, ttlSeconds) =>
        send(key, 'PUT', { value, ...(ttlSeconds !== undefined && { ttl: String(ttlSeconds) }) }),
      delete: (key) => send(key, 'DELETE'),
    });
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  const backup = join(folder, 'backup');
  await execa(join(etcd.binDir, 'etcdctl'), ['backup', '--data-dir', data, '--backup-dir', backup], {
    env: { ETCDCTL_API: '2' },
  });
  await execa('tar', ['-czf', join(folder, 'backup.tgz'), '-C', backup, '.']);
  return readFile(join(folder, 'backup.tgz'));
}
