import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

const PEERS = '/var/cache/kopsctl/test-peers';

export interface TestEtcd {
  readonly version: string;
  readonly binDir: string;
}

/** The etcds of Debian's releases that were unpacked on this machine (test/conformance does it), oldest first. */
export function testEtcds(): readonly TestEtcd[] {
  const named = process.env['KOPSCTL_TEST_ETCD'];
  const unpacked = existsSync(PEERS) ? readdirSync(PEERS) : [];
  const folders = [
    ...(named === undefined ? [] : [named]),
    join(PEERS, 'etcd/usr/bin'),
    ...unpacked.map((name) => join(PEERS, name, 'root/usr/bin')),
  ].filter((folder) => existsSync(join(folder, 'etcd')) && existsSync(join(folder, 'etcdctl')));
  return folders
    .map((binDir) => {
      const said = execFileSync(join(binDir, 'etcd'), ['--version'], { encoding: 'utf8' });
      return { binDir, version: /etcd Version: (\S+)/.exec(said)?.[1] ?? '' };
    })
    .sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

/** The newest of a minor version, e.g. `3.4`; says why a test is left out where there is none. */
export function findTestEtcd(minor: string, forWhat: string): TestEtcd | undefined {
  const found = testEtcds().findLast(({ version }) => version.startsWith(`${minor}.`));
  if (found === undefined) {
    console.log(`SKIPPED: ${forWhat}, for there is no etcd ${minor} below ${PEERS} nor at KOPSCTL_TEST_ETCD`);
  }
  return found;
}

/** Two that differ: a port that was let go may be given once more. */
export async function freeEtcdPorts(): Promise<{ readonly clientPort: number; readonly peerPort: number }> {
  const clientPort = await freePort();
  let peerPort = clientPort;
  while (peerPort === clientPort) peerPort = await freePort();
  return { clientPort, peerPort };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
