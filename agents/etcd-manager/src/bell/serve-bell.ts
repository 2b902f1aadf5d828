import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { Wake } from '@kopsctl/agent/wake.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { urlHost } from '@kopsctl/http/url-host.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { memberHost, volumeLayout } from '../etcd/settings.ts';
import { readMember } from '../read-member.ts';
import type { Bell } from './bell.ts';

/** How often the certificates are read again. They are renewed months before they expire. */
const READ_CERTIFICATES_MS = 60 * 60_000;
/** A machine that is up answers at once. */
const TELL_TIMEOUT_MS = 2_000;
const MOST_CONNECTIONS = 32;

/** The port that kops's etcd-manager uses for gRPC: 3996 if the peer port is 2380, 3997 if it is 2381, 4006 if it is 2383. */
export function bellPort({ peerPort }: Pick<EtcdClusterConfig, 'peerPort'>): number {
  // 3999 is the port on which control planes gossip.
  return peerPort === 2383 ? 4006 : peerPort + 1616;
}

/**
 * Listens for rings of the other managers of one etcd cluster until `signal` aborts. A ring is a TLS handshake between two
 * certificates of the peer CA and carries no data: a manager that hears it looks at the store.
 *
 * @throws ActionableError if it cannot listen, and the signal's reason
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
    if (failure === undefined) signal.throwIfAborted();
  } finally {
    server.close();
  }
  throw new ActionableError({
    what: `listen for the other managers of etcd ${config.name} on ${urlHost(env.address)}:${bellPort(config)}`,
    why: messageOf(failure),
    next: `find the process that uses the port: ss -tlnp sport = :${bellPort(config)}`,
    cause: failure,
  });
}

/**
 * Rings every other machine of the etcd cluster whenever this one has changed something, until `signal` aborts.
 *
 * @throws the signal's reason
 */
export async function ringOthers(
  config: EtcdClusterConfig,
  env: { readonly bell: Bell },
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.bell.ringOnTell(wake);
  /** The machines that are being rung, and whether to ring them once more afterwards. A machine that is down delays no other. */
  const ringing = new Map<string, boolean>();
  const ringUntilHeard = async (member: string, files: SecureContextOptions): Promise<void> => {
    if (ringing.has(member)) return void ringing.set(member, true);
    try {
      do {
        ringing.set(member, false);
        await ring(memberHost(config, member), bellPort(config), files, signal);
      } while (ringing.get(member) === true && !signal.aborted);
    } finally {
      ringing.delete(member);
    }
  };
  while (!signal.aborted) {
    if (!(await wake.wait(READ_CERTIFICATES_MS, signal))) continue;
    const volume = await readMember(config.mountPoint);
    if (volume === undefined) continue;
    const files = await peerFiles(config);
    const others = [...new Set([...volume.members, ...config.members])].filter((member) => member !== volume.member);
    for (const member of others) void ringUntilHeard(member, files);
  }
  signal.throwIfAborted();
}

/** Never throws: resolves even if nobody hears the ring. */
async function ring(host: string, port: number, files: SecureContextOptions, signal: AbortSignal): Promise<void> {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  let socket: TLSSocket;
  try {
    socket = connect({ ...files, ...servername, host, port, timeout: TELL_TIMEOUT_MS });
  } catch {
    // The key and the certificate do not match: they are being renewed, one after the other.
    return;
  }
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  socket.once('timeout', end);
  socket.once('error', end);
  // The other side closes the connection after the handshake. Its end is only seen if the data before it is read.
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
