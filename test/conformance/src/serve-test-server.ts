import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer {
  readonly url: string;
  /** The received requests, as `METHOD path`. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** Where a server listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Starts an HTTP server, by default on a free port of the loopback interface. */
export async function serve(
  answer: (asked: IncomingMessage, answer: ServerResponse) => unknown,
  { host, port: wanted }: Place = { host: '127.0.0.1', port: 0 },
): Promise<TestServer> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    void answer(incoming, outgoing);
  }).listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    asked,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function bodyOf(asked: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
