import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { proxyApi } from './api-proxy.ts';

async function listen(server: Server, host: string, port = 0): Promise<number> {
  server.listen({ host, port });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A machine whose kernel accepts connections for a program that never looks at them, as an API server does that starts. */
async function startingMachine(host: string, port: number): Promise<void> {
  const program = `require('net').createServer().listen({ host: '${host}', port: ${port} }, () => {
      process.stdout.write('listening');
      for (;;);
    });`;
  const child = execa(process.execPath, ['-e', program], { reject: false, buffer: false });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

/** What a server answers that repeats what it is told, in capital letters. */
async function ask(port: number, pieces: readonly Buffer[]): Promise<string> {
  const client = connect({ host: '127.0.0.1', port, noDelay: true, timeout: 5_000 });
  client.on('timeout', () => client.destroy(new Error('not served')));
  for (const piece of pieces) {
    client.write(piece);
    // The next piece is sent alone.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return text(client);
}

const echo = (): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (heard.endsWith('.')) socket.end(heard.toUpperCase());
    });
  });

/** A record of TLS that holds the text. */
const record = (said: string): Buffer => Buffer.concat([Buffer.from([22, 3, 1, 0, said.length]), Buffer.from(said)]);

test('A machine that does not serve keeps no client waiting, and one that refuses is skipped', async () => {
  const port = await listen(echo(), '127.0.53.1');
  await startingMachine('127.0.53.2', port);
  const proxy = createServer();
  // Nothing listens at the third.
  proxyApi(proxy, () => ['127.0.53.1', '127.0.53.2', '127.0.53.3'], port);
  const proxyPort = await listen(proxy, '127.0.0.1');
  for (let number = 0; number < 6; number += 1)
    expect(await ask(proxyPort, [record('hello.')])).toBe(record('HELLO.').toString('latin1'));
});

test('A first message that comes in pieces is sent on as a whole', async () => {
  const port = await listen(echo(), '127.0.53.1');
  const proxy = createServer();
  proxyApi(proxy, () => ['127.0.53.1'], port);
  const hello = record('hello.');
  const pieces = [hello.subarray(0, 2), hello.subarray(2, 7), hello.subarray(7)];
  expect(await ask(await listen(proxy, '127.0.0.1'), pieces)).toBe(record('HELLO.').toString('latin1'));
});

test('A client is cut off when there is nothing behind the proxy', async () => {
  const port = await listen(createServer(), '127.0.53.1');
  const proxy = createServer();
  proxyApi(proxy, () => ['127.0.53.3'], port);
  await expect(ask(await listen(proxy, '127.0.0.1'), [record('hello.')])).rejects.toThrow('ECONNRESET');
});
