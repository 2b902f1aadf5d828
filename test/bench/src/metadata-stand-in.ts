import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { METADATA_ADDRESS } from './own-namespaces.ts';

/** The local cloud ends a long poll after a minute even if nothing has changed. */
const LONG_POLL_MS = 60_000;

/** A metadata service of a local cloud whose machines never change. */
export async function serveMetadata(machines: readonly CloudMachine[]): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://metadata');
    const items = url.pathname === '/v1/machines' ? machines : [];
    const answer = (): void => void response.end(JSON.stringify({ revision: '1', items }));
    if (url.searchParams.has('after')) setTimeout(answer, LONG_POLL_MS).unref();
    else answer();
  });
  server.listen(80, METADATA_ADDRESS);
  await once(server, 'listening');
  return server;
}
