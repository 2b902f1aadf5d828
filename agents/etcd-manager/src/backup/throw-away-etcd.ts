import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEtcd, type EtcdClient } from '../etcd/client.ts';
import type { ClientFiles } from '../etcd/gateway.ts';

/** Long enough for etcd to read some gigabytes from a slow disk. */
const READY_WITHIN_MS = 5 * 60_000;
const POLL_MS = 200;

export interface ThrowAwayRequest {
  readonly binDir: string;
  readonly dataDir: string;
  /** If given, clients must present a certificate, because the data holds the secrets of the cluster. */
  readonly files?: ClientFiles;
}

export const THROW_AWAY = { name: 'throw-away', peerUrl: 'http://127.0.0.1:1' } as const;

/** etcd ended by itself: it does not start with this data. */
export class RefusedByEtcd extends Error {
  override readonly name = 'RefusedByEtcd';
}

/** Runs a temporary etcd with one member on 127.0.0.1 while `work` runs, and kills it afterwards. */
export async function withThrowAwayEtcd<T>(
  request: ThrowAwayRequest,
  work: (etcd: EtcdClient, url: string) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { files } = request;
  const scheme = files === undefined ? 'http' : 'https';
  const { client, peer } = await freePorts();
  const url = `${scheme}://127.0.0.1:${client}`;
  const child = spawn(join(request.binDir, 'etcd'), [], {
    env: {
      PATH: '/usr/bin:/bin',
      ETCD_NAME: THROW_AWAY.name,
      ETCD_DATA_DIR: request.dataDir,
      ETCD_LISTEN_CLIENT_URLS: url,
      ETCD_ADVERTISE_CLIENT_URLS: url,
      // It has no peers. With certificates required, nothing else can connect as one.
      ETCD_LISTEN_PEER_URLS: `${scheme}://127.0.0.1:${peer}`,
      ...(files && tls(files)),
      ETCD_LOGGER: 'zap',
      ETCD_LOG_OUTPUTS: 'stderr',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lastLine = lastLineOf(child);
  let etcd;
  try {
    await once(child, 'spawn');
    etcd = await openEtcd(url, files);
    await ready(child, etcd, lastLine, signal);
    return await work(etcd, url);
  } finally {
    etcd?.close();
    await kill(child);
  }
}

function tls({ ca, cert, key }: ClientFiles): Readonly<Record<string, string>> {
  return {
    ETCD_CLIENT_CERT_AUTH: 'true',
    ETCD_TRUSTED_CA_FILE: ca,
    ETCD_CERT_FILE: cert,
    ETCD_KEY_FILE: key,
    ETCD_PEER_CLIENT_CERT_AUTH: 'true',
    ETCD_PEER_TRUSTED_CA_FILE: ca,
    ETCD_PEER_CERT_FILE: cert,
    ETCD_PEER_KEY_FILE: key,
  };
}

async function ready(
  child: ChildProcess,
  etcd: EtcdClient,
  lastLine: () => string,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new RefusedByEtcd(`etcd exited with ${child.exitCode}: ${lastLine()}`);
    // The kernel kills it when memory runs out, and a slow machine says nothing about the data.
    if (child.signalCode !== null) throw new Error(`etcd was killed by ${child.signalCode}: ${lastLine()}`);
    if (performance.now() > giveUpAtMs)
      throw new Error(`etcd did not serve within ${READY_WITHIN_MS / 1000} s: ${lastLine()}`);
    const status = await etcd.status(signal).catch(() => undefined);
    if (status?.leaderId !== undefined) return;
    await sleep(POLL_MS, undefined, { signal });
  }
}

function lastLineOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (text = (text + more).slice(-2000)));
  return () => text.trim().split('\n').at(-1) ?? '';
}

/** Its data is deleted anyway, so SIGKILL loses nothing. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Both ports are held until both are known, because a released port may be handed out again. */
async function freePorts(): Promise<{ readonly client: number; readonly peer: number }> {
  const servers = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')] as const;
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const [client, peer] = [portOf(servers[0]), portOf(servers[1])];
  for (const server of servers) server.close();
  await Promise.all(servers.map((server) => once(server, 'close')));
  return { client, peer };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
