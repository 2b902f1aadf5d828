import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { HANDSHAKE_MS } from '@kopsctl/node-identity/authority-session.ts';
import type { CallEnd } from './plan-call.ts';
import type { Reached } from './reach-machine.ts';
import type { Turns } from './turns.ts';

export interface CallEnv {
  readonly reach: (signal: AbortSignal) => Promise<Reached>;
  /** What the authority proves itself with. */
  readonly context: () => Promise<SecureContext>;
  /** Lets the machine talk. Resolves when the connection is closed, at the latest a while after the signal aborts. */
  readonly talk: (connection: TLSSocket) => Promise<CallEnd>;
  readonly turns: Turns;
  /** It did not prove itself when it was called, and has not since. */
  readonly isDoubtful: boolean;
}

/**
 * Connects to a machine, waits until it is its turn to talk, proves to it that this is an authority of its cluster, and
 * lets it talk. The roles of TLS are the reverse of those of TCP: the caller is the server.
 *
 * @throws the signal's reason when aborted
 */
export async function callMachine(env: CallEnv, signal: AbortSignal): Promise<CallEnd> {
  const { turns, isDoubtful } = env;
  return isDoubtful
    ? turns.doubtful(() => callNow(env, signal))
    : turns.called(async () => {
        const reached = await reachNow(env, signal);
        if (typeof reached === 'string') return { end: reached };
        const reachedMs = performance.now();
        return turns.talking(() => {
          // A machine waits only HANDSHAKE_MS for the proof of who called it. It keeps its turn, however long that took to come.
          if (performance.now() - reachedMs < HANDSHAKE_MS / 2) return converse(reached, env, signal);
          reached.destroy();
          return callNow(env, signal);
        });
      });
}

async function callNow(env: CallEnv, signal: AbortSignal): Promise<CallEnd> {
  const reached = await reachNow(env, signal);
  return typeof reached === 'string' ? { end: reached } : converse(reached, env, signal);
}

/** By the time a machine gets its turn, its call may have been aborted. */
async function reachNow({ reach }: CallEnv, signal: AbortSignal): Promise<Reached> {
  signal.throwIfAborted();
  return reach(signal);
}

async function converse(socket: Socket, { context, talk }: CallEnv, signal: AbortSignal): Promise<CallEnd> {
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const connection = new TLSSocket(socket, { isServer: true, secureContext: await context() });
    // Only the end of the connection matters: broken or closed, the machine is called again.
    connection.on('error', () => undefined);
    const end = (await handshake(connection)) ?? (await talk(connection));
    signal.throwIfAborted();
    return end;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** How the call has ended; undefined once both sides have agreed on keys. */
async function handshake(connection: TLSSocket): Promise<CallEnd | undefined> {
  const { promise, resolve } = Promise.withResolvers<CallEnd | undefined>();
  const late = setTimeout(() => resolve({ end: 'unproven' }), HANDSHAKE_MS);
  connection.once('secure', () => resolve(undefined));
  connection.once('close', () => resolve({ end: 'hung-up' }));
  const end = await promise;
  clearTimeout(late);
  if (end !== undefined) connection.destroy();
  return end;
}
