import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { CloudMachine } from '@kopsctl/clouds/node-cloud.ts';
import { METADATA_ADDRESS } from './own-namespaces.ts';

/** The local cloud ends a wait after a minute even when nothing is new. */
const LONG_POLL_MS = 60_000;

/** What the metadata service of a local cloud tells of a cluster whose machines never change. */
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
