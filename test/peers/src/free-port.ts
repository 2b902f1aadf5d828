import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a TCP port of 127.0.0.1 that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the operating system assigned no port');
  return address.port;
}

/** Returns two different ports: the operating system may assign a released port again. */
export async function freeEtcdPorts(): Promise<{ readonly clientPort: number; readonly peerPort: number }> {
  const clientPort = await freePort();
  let peerPort = clientPort;
  while (peerPort === clientPort) peerPort = await freePort();
  return { clientPort, peerPort };
}
