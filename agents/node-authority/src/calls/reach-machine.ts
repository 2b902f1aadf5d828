import { connect, type Socket } from 'node:net';

/** Two machines of one network connect within a millisecond. */
const CONNECT_MS = 3_000;

/** A connection, `refused` if nothing listens there, or `silent` if nothing answers. */
export type Reached = Socket | 'refused' | 'silent';

/**
 * Connects to a machine. Nothing is read from the connection yet: what the machine sends meanwhile stays with the kernel,
 * which bounds it.
 *
 * @throws the signal's reason when aborted
 */
export async function reachMachine(address: string, port: number, signal: AbortSignal): Promise<Reached> {
  signal.throwIfAborted();
  const socket = connect({ host: address, port });
  socket.pause();
  const { promise, resolve, reject } = Promise.withResolvers<Reached>();
  const late = setTimeout(() => resolve('silent'), CONNECT_MS);
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  socket.once('connect', () => resolve(socket));
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'silent'));
  let reached: Reached | undefined;
  try {
    reached = await promise;
    return reached;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
    if (reached !== socket) socket.destroy();
  }
}
