import { once } from 'node:events';
import { chmod, chown, mkdir, rename, rm, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { dirname } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';

interface BrokerPlace {
  readonly socket: string;
  /** The group that may connect. */
  readonly groupId: number;
}

/** chown(2): the owner stays. */
const SAME_OWNER = -1;

/**
 * Listens on a Unix socket that root and one group may connect to. Node.js does not tell who connects (SO_PEERCRED), so the
 * modes are the guard. The folder is root's; otherwise the group could put links there that root follows. Both get their modes
 * under another name: the authority tries to connect all the time, and would be refused until then.
 */
export async function listenForAuthority(
  server: Server,
  { socket, groupId }: BrokerPlace,
  signal: AbortSignal,
): Promise<void> {
  await makeFolder(dirname(socket), groupId);
  // A process that was killed leaves either. systemd runs one protokube at a time, so nobody listens there.
  const unready = `${socket}.new`;
  await rm(unready, { force: true });
  server.listen(unready);
  await once(server, 'listening', { signal });
  await permit(unready, groupId, 0o660);
  await rename(unready, socket);
}

async function makeFolder(folder: string, groupId: number): Promise<void> {
  if ((await ifThere(stat(folder))) !== undefined) return permit(folder, groupId, 0o750);
  const unready = `${folder}.new`;
  await mkdir(unready, { recursive: true, mode: 0o700 });
  await permit(unready, groupId, 0o750);
  await rename(unready, folder);
}

async function permit(path: string, groupId: number, mode: number): Promise<void> {
  await chown(path, SAME_OWNER, groupId);
  await chmod(path, mode);
}
