import { Server as NetServer } from 'node:net';

/**
 * Receives the listening socket of the host from the process that started this one. From then on connections come to it, so
 * `serve` is called before the first: one that nobody has taken would end this process if its client reset it.
 */
export function receiveHostPort(serve: (hostPort: NetServer) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.once('disconnect', () => reject(new Error('the process that started this supervisor has ended')));
  process.once('message', (_message, handle) => {
    if (handle instanceof NetServer) resolve(serve(handle));
    else reject(new Error('the parent process did not pass a listening socket'));
  });
  return promise;
}

/** Tells the process that started this one, which may have ended: this one outlives it. */
export function sayReady(): void {
  process.send?.('ready', () => {
    if (process.connected) process.disconnect();
  });
}
