import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { kubeClient } from './client.ts';

/** Without it vitest waits for a second, which a busy computer may need for one look. */
const WAIT = { timeout: 30_000 };

let folder: string;
let kubeconfig: string;
let server: Server;
/** Requests that nobody has answered, by their paths. */
let waiting: Map<string | undefined, ServerResponse>;

beforeEach(async () => {
  waiting = new Map();
  server = createServer(({ url }, response) => void waiting.set(url, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-kube-client-'));
  kubeconfig = join(folder, 'kubeconfig');
  const text = JSON.stringify({
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'test', user: {} }],
  });
  await writeFile(kubeconfig, text);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const { signal } = new AbortController();
const asked = async (path: string): Promise<ServerResponse> =>
  vi.waitFor(() => {
    const response = waiting.get(path);
    if (response === undefined) throw new Error(`nobody has asked for ${path}`);
    return response;
  }, WAIT);

test('a request that is given up ends neither those of others nor their watches', async () => {
  const kube = kubeClient(kubeconfig);
  // From now on all share their connections.
  const first = kube.get('/first', signal);
  (await asked('/first')).end('{}');
  await first;
  const events: unknown[] = [];
  const watched = kube.watch('/watched', (event) => events.push(event), signal);
  const other = kube.get('/other', signal);
  const givenUp = new AbortController();
  const gone = kube.get('/given-up', givenUp.signal);
  const [watchAnswer, otherAnswer] = [await asked('/watched'), await asked('/other'), await asked('/given-up')];
  givenUp.abort(new Error('nobody waits for it'));
  await expect(gone).rejects.toThrow('nobody waits for it');
  otherAnswer.end('{"is":"there"}');
  expect(await other).toEqual({ is: 'there' });
  watchAnswer.end('{"type":"ADDED"}\n');
  await watched;
  expect(events).toEqual([{ type: 'ADDED' }]);
});

test('an event without an end is not kept', async () => {
  const watched = kubeClient(kubeconfig).watch('/watched', () => undefined, signal);
  const answer = await asked('/watched');
  answer.on('error', () => undefined);
  const endless = setInterval(() => answer.write('x'.repeat(1024 * 1024)), 1);
  await expect(watched).rejects.toThrow('an event of /watched has more than');
  clearInterval(endless);
});

test('the time is that of the server, whatever the clock of this machine says', async () => {
  const time = kubeClient(kubeconfig).timeMs(signal);
  (await asked('/version')).writeHead(200, { date: 'Tue, 01 Jan 2030 12:00:05 GMT' }).end('{}');
  expect(await time).toBe(Date.UTC(2030, 0, 1, 12, 0, 5));
});

test('a server that does not say what time it is gets no time made up', async () => {
  const time = kubeClient(kubeconfig).timeMs(signal);
  const answer = await asked('/version');
  answer.sendDate = false;
  answer.end('{}');
  await expect(time).rejects.toThrow('no header Date');
});
