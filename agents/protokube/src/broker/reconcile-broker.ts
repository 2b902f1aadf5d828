import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import type { BrokerConfig } from '@kopsctl/node-plan/agent-config.ts';
import { listenForAuthority } from './listen-for-authority.ts';
import type { OperationsEnv } from './operations.ts';
import { primaryGroup } from './primary-group.ts';
import { brokerServer } from './serve-broker.ts';

interface BrokerEnv extends OperationsEnv {
  /** /etc/passwd */
  readonly accountsPath: string;
  readonly log: Log;
}

/** Serves the authority of this machine until the signal aborts. */
export async function reconcileBroker(
  { socket, user }: BrokerConfig,
  env: BrokerEnv,
  signal: AbortSignal,
): Promise<void> {
  const groupId = primaryGroup(await readFile(env.accountsPath, 'utf8'), user);
  const server = brokerServer(env, env.log, signal);
  try {
    await listenForAuthority(server, { socket, groupId }, signal);
    env.log.info('serves the authority', { socket });
    await once(server, 'close', { signal });
  } finally {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    // Node.js removes only the name under which it began to listen.
    await rm(socket, { force: true });
  }
}
