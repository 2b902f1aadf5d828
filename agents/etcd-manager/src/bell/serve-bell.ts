import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, type SecureContextOptions } from 'node:tls';
import { Wake } from '@kopsctl/agent/wake.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { memberHost, volumeLayout } from '../etcd/settings.ts';
import { readMember } from '../observe-cluster.ts';
import type { Bell } from './bell.ts';

/** Certificates are renewed months before they expire; a handshake takes those that were read last. */
const READ_CERTIFICATES_MS = 60 * 60_000;
/** A machine that is there answers at once; for one that is not, nobody waits. */
const TELL_TIMEOUT_MS = 2_000;
const MOST_CONNECTIONS = 32;

/** kops's ports for its managers' gRPC: 3996 where the peers of etcd have 2380, 3997 where they have 2381. */
export function bellPort({ peerPort }: Pick<EtcdClusterConfig, 'peerPort'>): number {
  return peerPort + 1616;
}

/**
 * Lets the managers of one etcd cluster ring each other until the signal ends it. A ring is a TLS handshake between two
 * certificates of the peers' authority and holds nothing: whoever hears it looks at the store.
 */
export async function serveBell(
  config: EtcdClusterConfig,
  env: { readonly address: string; readonly bell: Bell },
  signal: AbortSignal,
): Promise<void> {
  const server = createServer(
    { ...(await peerFiles(config)), requestCert: true, rejectUnauthorized: true, handshakeTimeout: TELL_TIMEOUT_MS },
    (socket) => {
      socket.once('error', () => socket.destroy());
      socket.end();
      env.bell.hear();
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const failed = new Wake();
  let failure: unknown;
  server.on('error', (error) => {
    failure = error;
    failed.ring();
  });
  try {
    server.listen(bellPort(config), env.address);
    while (!signal.aborted) {
      if (await failed.wait(READ_CERTIFICATES_MS, signal)) break;
      server.setSecureContext(await peerFiles(config));
    }
  } finally {
    server.close();
  }
  throw new ActionableError({
    what: `listen for the other managers of etcd ${config.name} on ${env.address}:${bellPort(config)}`,
    why: messageOf(failure),
    next: `see who has the port: ss -tlnp sport = :${bellPort(config)}`,
    cause: failure,
  });
}

/** Rings every other machine of the etcd cluster whenever this one has told of something, until the signal ends it. */
export async function ringOthers(
  config: EtcdClusterConfig,
  env: { readonly bell: Bell },
  signal: AbortSignal,
): Promise<void> {
  const wake = new Wake();
  env.bell.onTell(() => wake.ring());
  /** Machines that are being rung, and whether once more: nobody waits for one that is not there. */
  const ringing = new Map<string, boolean>();
  const ringUntilHeard = async (member: string, files: SecureContextOptions): Promise<void> => {
    if (ringing.has(member)) return void ringing.set(member, true);
    do {
      ringing.set(member, false);
      await ring(memberHost(config, member), bellPort(config), files, signal);
    } while (ringing.get(member) === true && !signal.aborted);
    ringing.delete(member);
  };
  while (!signal.aborted) {
    if (!(await wake.wait(READ_CERTIFICATES_MS, signal))) continue;
    const volume = await readMember(config.mountPoint);
    if (volume === undefined) continue;
    const files = await peerFiles(config);
    const others = [...new Set([...volume.members, ...config.members])].filter((member) => member !== volume.member);
    for (const member of others) void ringUntilHeard(member, files);
  }
}

/** Resolves also where nobody hears it. */
async function ring(host: string, port: number, files: SecureContextOptions, signal: AbortSignal): Promise<void> {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ ...files, ...servername, host, port, timeout: TELL_TIMEOUT_MS });
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  socket.once('timeout', end);
  socket.once('error', end);
  // The other side ends it once it knows who rings; data has to be read for its end to be seen.
  socket.resume();
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  signal.removeEventListener('abort', end);
}

async function peerFiles({ mountPoint }: Pick<EtcdClusterConfig, 'mountPoint'>): Promise<SecureContextOptions> {
  const folder = join(volumeLayout(mountPoint).pki, 'peers');
  const [ca, cert, key] = await Promise.all(['ca.crt', 'me.crt', 'me.key'].map((file) => readFile(join(folder, file))));
  return { ca, cert, key };
}
