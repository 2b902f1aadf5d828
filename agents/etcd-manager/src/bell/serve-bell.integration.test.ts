import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { clientFiles, ensureCertificates } from '../etcd/certificates.ts';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { TEST_CLUSTER, testStore } from '../../testing/machine.ts';
import { Bell } from './bell.ts';
import { bellPort, ringOthers, serveBell } from './serve-bell.ts';

const MEMBERS = ['41', '42'] as const;
/** A ring takes milliseconds. The test waits this long for a ring, and the shorter time to see that none comes. */
const HEARD_MS = 10_000;
const NOT_HEARD_MS = 500;

const ended = new AbortController();
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

interface Listener {
  readonly config: EtcdClusterConfig;
  readonly address: string;
  readonly bell: Bell;
  readonly heard: Wake;
}

/** Machines with certificates of one authority. */
async function listeners(): Promise<readonly Listener[]> {
  const store = await testStore();
  const peerPort = (await freePort()) - 1616;
  return Promise.all(
    MEMBERS.map(async (member): Promise<Listener> => {
      const mountPoint = await mkdtemp(join(tmpdir(), 'bell-'));
      folders.push(mountPoint);
      await writeFile(join(mountPoint, '.member'), JSON.stringify({ member, members: MEMBERS, volumeId: member }));
      const config: EtcdClusterConfig = {
        name: 'main',
        mountPoint,
        members: MEMBERS,
        memberHost: '127.0.0.<member>',
        clientPort: 0,
        peerPort,
        etcdVersion: '3.4.23',
        binDir: '',
        backupPath: `${TEST_CLUSTER}/backups/etcd/main`,
        peersCa: 'etcd-peers-ca-main',
        clientsCa: 'etcd-clients-ca',
        env: [],
      };
      const address = `127.0.0.${member}`;
      const log = makeLog(() => undefined, false, 'test');
      await ensureCertificates(config, { address, member }, { cluster: TEST_CLUSTER, store, log }, ended.signal);
      const [bell, heard] = [new Bell(), new Wake()];
      bell.ringOnNews(heard);
      return { config, address, bell, heard };
    }),
  );
}

function start({ config, address, bell }: Listener, signal: AbortSignal): readonly Promise<unknown>[] {
  return [serveBell(config, { address, bell }, signal), ringOthers(config, { bell }, signal)].map((running) =>
    running.catch((error: unknown) => error),
  );
}

/** Whether a machine hears another that rings again and again: it may not listen yet. */
async function isHeard(from: Listener, by: Listener, signal: AbortSignal): Promise<boolean> {
  for (const deadline = performance.now() + HEARD_MS; performance.now() < deadline;) {
    from.bell.tell();
    if (await by.heard.wait(100, signal)) return true;
  }
  return false;
}

test('one machine hears what the other tells, and neither waits for a machine that is down', async () => {
  const [first, second] = await listeners();
  if (first === undefined || second === undefined) throw new Error('there are two');
  const stop = new AbortController();
  const running = [...start(first, stop.signal)];
  // The other machine is not up yet, which is not an error.
  first.bell.tell();
  expect(await first.heard.wait(HEARD_MS, stop.signal)).toBe(true);
  running.push(...start(second, stop.signal));
  expect(await isHeard(first, second, stop.signal)).toBe(true);
  stop.abort(new Error('the test is over'));
  expect(await Promise.all(running)).toEqual(running.map(() => stop.signal.reason));
});

test('a machine whose certificate is just being renewed rings again afterwards', async () => {
  const [first, second] = await listeners();
  if (first === undefined || second === undefined) throw new Error('there are two');
  const stop = new AbortController();
  const keyOf = ({ config }: Listener): string => join(config.mountPoint, 'pki/peers/me.key');
  const key = await readFile(keyOf(first));
  // The key is written before the certificate.
  await copyFile(keyOf(second), keyOf(first));
  const { promise: isTried, resolve: tried } = Promise.withResolvers<void>();
  const config = {
    ...first.config,
    get memberHost(): string {
      tried();
      return '127.0.0.<member>';
    },
  };
  const running = [
    ...start(second, stop.signal),
    ringOthers(config, first, stop.signal).catch((error: unknown) => error),
  ];
  first.bell.tell();
  await isTried;
  await writeFile(keyOf(first), key);
  expect(await isHeard(first, second, stop.signal)).toBe(true);
  stop.abort(new Error('the test is over'));
  expect(await Promise.all(running)).toEqual(running.map(() => stop.signal.reason));
});

test('both ways end with the reason of their signal, wherever they are by then', async () => {
  const [first] = await listeners();
  if (first === undefined) throw new Error('there is one');
  for (let turns = 0; turns < 20; turns++) {
    const stop = new AbortController();
    const running = start(first, stop.signal);
    first.bell.tell();
    // Each turn of the event loop leaves them further along in what they read.
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    stop.abort(new Error('the test is over'));
    expect(await Promise.all(running)).toEqual(running.map(() => stop.signal.reason));
  }
});

test('a certificate of another authority cannot ring', async () => {
  const [first] = await listeners();
  if (first === undefined) throw new Error('there is one');
  const stop = new AbortController();
  const running = start(first, stop.signal);
  const files = clientFiles(first.config.mountPoint);
  const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
  const ring = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({
        host: first.address,
        port: bellPort(first.config),
        cert,
        key,
        rejectUnauthorized: false,
      });
      socket.resume();
      socket.once('error', (error) => resolve(error.message));
      socket.once('close', () => resolve('closed'));
    });
  let said = 'connect ECONNREFUSED';
  while (said.includes('ECONNREFUSED')) said = await ring();
  expect(said).toMatch(/alert|closed|reset/i);
  expect(await first.heard.wait(NOT_HEARD_MS, stop.signal)).toBe(false);
  stop.abort(new Error('the test is over'));
  await Promise.all(running);
});
