import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** How much of an answer a server sends before it falls silent. */
export type Silence = 'from the beginning' | 'within the body';

export interface SilentServer {
  readonly endpoint: string;
  /** The connections that are still open. */
  readonly open: ReadonlySet<Socket>;
  stop(): Promise<void>;
}

/** The head of an answer that all kinds of store take for an object of a hundred bytes, and the first ten of them. */
const BEGINNING = [
  'HTTP/1.1 200 OK',
  'content-type: application/octet-stream',
  'content-length: 100',
  'etag: "1"',
  'connection: close',
  '',
  '0123456789',
].join('\r\n');

/** A server that takes every connection and request and never ends an answer. */
export async function startSilentServer(silence: Silence): Promise<SilentServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    socket.once('data', () => {
      if (silence === 'within the body') socket.write(BEGINNING);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    open,
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
