import { once } from 'node:events';
import { connect } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { CallEnd } from './plan-call.ts';

/** Two machines of one network connect within a millisecond, and agree on keys within some more. */
const CONNECT_MS = 3_000;
const HANDSHAKE_MS = 10_000;

export interface Callee {
  readonly address: string;
  readonly port: number;
}

/**
 * Connects to a machine, proves to it that this is an authority of its cluster, and lets it talk. The roles of TLS are
 * the other way round than those of TCP: who calls is the server.
 *
 * @param talk resolves when the machine has hung up, with the seconds after which it wants to be called again
 */
export async function callMachine(
  { address, port }: Callee,
  context: SecureContext,
  talk: (connection: TLSSocket) => Promise<number | undefined>,
  signal: AbortSignal,
): Promise<CallEnd> {
  const socket = connect({ host: address, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]) });
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    return { end: codeOf(error) === 'ECONNREFUSED' ? 'refused' : 'silent' };
  }
  const connection = new TLSSocket(socket, { isServer: true, secureContext: context });
  // The end of the connection says all: broken or closed, the machine is called again.
  connection.on('error', () => undefined);
  try {
    await once(connection, 'secure', { signal: AbortSignal.any([signal, AbortSignal.timeout(HANDSHAKE_MS)]) });
  } catch {
    connection.destroy();
    signal.throwIfAborted();
    return { end: 'hung-up' };
  }
  return { end: 'talked', againSeconds: await talk(connection) };
}
