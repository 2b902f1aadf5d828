import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listenOnHost, portOf } from './start-supervisor.ts';

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** A process that is started as a supervisor is. */
function start(program: string): ChildProcess {
  const modules = {
    starter: join(import.meta.dirname, 'starter.ts'),
    proxy: join(import.meta.dirname, '../network/api-proxy.ts'),
  };
  const imports = `
    import * as starter from ${JSON.stringify(modules.starter)};
    import { proxyApi } from ${JSON.stringify(modules.proxy)};
  `;
  child = spawn(process.execPath, ['--input-type=module', '--eval', imports + program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return child;
}

test('A supervisor that is ready goes on when the process that started it has ended', async () => {
  const supervisor = start(`
    process.once('disconnect', () => {
      starter.sayReady();
      setImmediate(() => process.exit(7));
    });
    process.send('waiting');
  `);
  await once(supervisor, 'message');
  supervisor.disconnect();
  expect(await once(supervisor, 'exit')).toEqual([7, null]);
});

test('A client that comes before there is a cluster is cut off, and ends no supervisor', async () => {
  const supervisor = start(`
    await starter.receiveHostPort((hostPort) => proxyApi(hostPort, () => []));
    process.send('taken');
    process.once('message', () => process.exit(7));
  `);
  const hostPort = await listenOnHost(0);
  const port = portOf(hostPort);
  supervisor.send('listen', hostPort);
  await once(supervisor, 'message');
  hostPort.close();
  for (let client = 0; client < 3; client += 1) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.resetAndDestroy();
  }
  const last = connect(port, '127.0.0.1');
  last.write('hello');
  await expect(once(last, 'close')).rejects.toThrow('ECONNRESET');
  supervisor.send('end');
  expect(await once(supervisor, 'exit')).toEqual([7, null]);
});
