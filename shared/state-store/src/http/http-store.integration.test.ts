import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describeStateStore } from '../conformance.ts';
import { createMemoryStore } from '../memory.ts';
import { createHttpStore } from './http-store.ts';
import { serveStore } from './serve.ts';

async function listen(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describeStateStore('http over a served memory store', async () => {
  const everything = { mayRead: () => true, mayWrite: () => true };
  const server = await listen(serveStore(createMemoryStore(), () => everything, { basePath: '/state' }));
  const url = `${server.origin}/state`;
  return { store: createHttpStore(url), another: createHttpStore(url), close: server.close };
});
