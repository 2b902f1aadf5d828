import { once } from 'node:events';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { dirname } from 'node:path';

interface BrokerPlace {
  readonly socket: string;
  /** The group that may connect. */
  readonly groupId: number;
}

/** chown(2): the owner stays. */
const SAME_OWNER = -1;

/**
 * Listens on a Unix socket that root and one group may connect to. Node.js does not tell who connects (SO_PEERCRED), so the
 * modes are the guard. The folder is root's; otherwise the group could put links there that root follows. No one but root can
 * enter the folder before it has its mode, and no one but the group before the socket has its mode.
 */
export async function listenForAuthority(
  server: Server,
  { socket, groupId }: BrokerPlace,
  signal: AbortSignal,
): Promise<void> {
  const folder = dirname(socket);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chown(folder, SAME_OWNER, groupId);
  await chmod(folder, 0o750);
  // A process that was killed leaves its socket. systemd runs one protokube at a time, so nobody listens there.
  await rm(socket, { force: true });
  server.listen(socket);
  await once(server, 'listening', { signal });
  await chown(socket, SAME_OWNER, groupId);
  await chmod(socket, 0o660);
}
