import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { makeLog } from '@kopsctl/agent/log.ts';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import { BROKER_PATHS, parseMachines } from '@kopsctl/node-identity/broker-messages.ts';
import { MAX_REPORT_BYTES } from '@kopsctl/node-identity/messages.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { createFileStore } from '@kopsctl/state-store/file/file-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reconcileBroker } from './reconcile-broker.ts';

const CLUSTER = 'demo.example.com';
const WAIT = { timeout: 30_000, interval: 10 };
const worker: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.1',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
};

let folder: string;
let socket: string;
let store: StateStore;
let machines: Latest<CloudMachine>;
let lines: string[];
let ended: AbortController;
let running: Promise<unknown>;
let http: Http;

const serving = (): number => lines.filter((line) => line.includes('serves the authority')).length;

/** Starts the broker, as protokube does. */
async function start(): Promise<void> {
  const log = makeLog((line) => lines.push(line), false, 'protokube broker');
  const accountsPath = join(folder, 'passwd');
  const env = { cluster: CLUSTER, store, machines, verifierFacts: async () => ({}), accountsPath, log };
  const before = serving();
  ended = new AbortController();
  running = reconcileBroker({ socket, user: 'authority' }, env, ended.signal).catch((error: unknown) => error);
  await vi.waitFor(() => expect(serving()).toBe(before + 1), WAIT);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-broker-'));
  socket = join(folder, 'run', 'broker.sock');
  // The group of the user who runs this test.
  await writeFile(join(folder, 'passwd'), `authority:x:${process.getuid?.()}:${process.getgid?.()}::/:/bin/false\n`);
  store = createFileStore(`file://${join(folder, 'store')}`);
  machines = new Latest<CloudMachine>();
  machines.set({ revision: '1', items: [worker] });
  lines = [];
  http = openHttp({ socketPath: socket });
});
afterEach(async () => {
  http.close();
  ended.abort();
  await running;
  await rm(folder, { recursive: true });
});

const ask = async (path: string, body: string | Buffer, method = 'POST') =>
  http.ask({ method, url: `http://broker${path}`, body, withinMs: 30_000, maxBytes: 65_536 }, undefined);

/** The broker is still there, and works as before. */
async function works(): Promise<void> {
  const fresh = openHttp({ socketPath: socket, keepAlive: false });
  const question = { method: 'POST', url: `http://broker${BROKER_PATHS.machines}`, body: '{}', withinMs: 30_000 };
  const { body } = await fresh.ask({ ...question, maxBytes: 65_536 }, undefined);
  expect(parseMachines(body).items).toEqual([worker]);
}

/** An error comes before the end of a connection, and means no more than that end here. */
const closed = (connection: Socket): Promise<void> =>
  new Promise((resolve) => connection.on('error', () => undefined).once('close', () => resolve()));

/** Sends bytes as they are; resolves with all that came back when the connection is closed. */
async function send(...chunks: readonly (string | Buffer)[]): Promise<string> {
  const connection = connect(socket);
  const received: Buffer[] = [];
  connection.on('data', (chunk: Buffer) => received.push(chunk));
  for (const chunk of chunks) connection.write(chunk);
  await closed(connection);
  return Buffer.concat(received).toString('latin1');
}

test('only the owner and one group may enter the folder and connect', async () => {
  await start();
  expect((await stat(join(folder, 'run'))).mode & 0o777).toBe(0o750);
  expect((await stat(socket)).mode & 0o777).toBe(0o660);
  expect((await stat(socket)).gid).toBe(process.getgid?.());
});

test('a socket that a killed process left is replaced, and one that is stopped leaves none', async () => {
  await start();
  ended.abort();
  await running;
  await expect(stat(socket)).rejects.toThrow('ENOENT');
  await writeFile(socket, 'left');
  await start();
  await works();
});

test.each([
  ['POST', '/v1/list'],
  ['POST', '/v1/machines/'],
  ['POST', '/v1/plan/../../pki/private/kubernetes-ca/keyset.yaml'],
  ['POST', '/demo.example.com/pki/private/kubernetes-ca/keyset.yaml'],
  ['POST', '/__proto__'],
  ['GET', '/v1/machines'],
  ['PUT', '/v1/enrol'],
  ['DELETE', '/v1/enrolment'],
])('%s %s is nothing that it does, and it says so once in a while', async (method, path) => {
  await start();
  for (let count = 0; count < 5; count += 1) expect((await ask(path, '{}', method)).status).toBe(400);
  expect(lines.filter((line) => line.includes('refused a request of the authority'))).toHaveLength(1);
  await works();
});

test('a report that is too large is not read, whether or not its size is told', async () => {
  await start();
  const large = Buffer.alloc(MAX_REPORT_BYTES + 1, 'x');
  const head = `POST ${BROKER_PATHS.report} HTTP/1.1\r\nhost: b\r\n`;
  expect(await send(`${head}content-length: ${large.byteLength}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  await send(`${head}transfer-encoding: chunked\r\n\r\n${large.byteLength.toString(16)}\r\n`, large, '\r\n0\r\n\r\n');
  expect(await store.list('')).toEqual([]);
  await works();
});

test('two requests at once on a connection end it', async () => {
  await start();
  // The first one waits for a newer list.
  const one = (body: string): string =>
    `POST ${BROKER_PATHS.machines} HTTP/1.1\r\nhost: b\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  expect(await send(`${one('{"after":"1"}')}${one('{}')}`)).toBe('');
  await send(one('{"after":"1"}').repeat(10_000));
  await works();
});

test.each([
  ['a line of 10 MB', () => ['x'.repeat(10_000_000), '\n']],
  ['a header of 10 MB', () => [`POST /v1/machines HTTP/1.1\r\nhost: ${'x'.repeat(10_000_000)}`, '\r\n\r\n']],
  ['rubbish', () => [randomBytes(100_000)]],
  ['JSON by itself', () => ['{"id":1,"op":"read","path":"../pki"}\n{"id":2}\n']],
  ['the beginning of TLS', () => [Buffer.from('16030100c8010000c40303', 'hex'), randomBytes(200)]],
])('%s ends a connection and nothing else', async (_what, bytes) => {
  await start();
  expect(await send(...bytes())).not.toMatch(/^HTTP\/1\.1 200/);
  await works();
});

test('of 1,000 connections few are kept, and when they end there is room', async () => {
  await start();
  const connections: Socket[] = [];
  let refused = 0;
  for (let count = 0; count < 1000; count += 1) {
    const connection = connect(socket);
    connection.on('error', () => undefined);
    connection.on('close', () => (refused += 1));
    connections.push(connection);
  }
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(1000 - 64), WAIT);
  for (const connection of connections) connection.destroy();
  await vi.waitFor(works, WAIT);
});

test('a caller who hangs up in the middle of a question leaves nothing behind', async () => {
  await start();
  const connection = connect(socket);
  connection.write(`POST ${BROKER_PATHS.machines} HTTP/1.1\r\nhost: b\r\ncontent-length: 13\r\n\r\n{"after":"1"}`);
  await vi.waitFor(() => expect(machines.followers).toBe(1), WAIT);
  connection.destroy();
  await vi.waitFor(() => expect(machines.followers).toBe(0), WAIT);
  await works();
});

test('without the user of the authority there is nobody to serve, and that is said', async () => {
  await writeFile(join(folder, 'passwd'), 'root:x:0:0::/root:/bin/sh\n');
  ended = new AbortController();
  const log = makeLog(() => undefined, false, 'protokube broker');
  const env = { cluster: CLUSTER, store, machines: new Latest<CloudMachine>(), verifierFacts: async () => ({}), log };
  running = reconcileBroker(
    { socket, user: 'authority' },
    { ...env, accountsPath: join(folder, 'passwd') },
    ended.signal,
  );
  await expect(running).rejects.toThrow('/etc/passwd has no user authority');
  running = Promise.resolve();
});
