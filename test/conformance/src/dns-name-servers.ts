import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { unpackDebianPackages } from './debian-packages.ts';
import { freePort } from './free-port.ts';

/** A running name server that takes dynamic updates and was not written by us. */
export interface RunningNameServer {
  readonly name: string;
  readonly version: string;
  readonly port: number;
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface ServedZones {
  readonly zones: readonly string[];
  /** All of them may update and transfer all zones. */
  readonly keys: readonly { readonly name: string; readonly algorithm: string; readonly secret: string }[];
}

/** Where a name server is to answer; `enter` are commands in front of its own. */
export interface NameServerPlace {
  readonly address: string;
  readonly port: number;
  readonly enter?: readonly [string, ...string[]];
}

interface Product {
  readonly name: string;
  /** The program's package first; what a usual machine has already is left out. */
  readonly packages: readonly string[];
  readonly program: string;
  arguments(folder: string): readonly string[];
  configuration(folder: string, at: NameServerPlace, served: ServedZones): string;
  /** It logs this once it answers. */
  readonly ready: string;
}

const bind9: Product = {
  name: 'bind9',
  ready: 'running',
  packages: `bind9 bind9-libs bind9-utils libuv1 libmaxminddb0 liblmdb0 libjemalloc2 libfstrm0 libprotobuf-c1
    libnghttp2-14 libjson-c5 libcap2`.split(/\s+/),
  program: 'usr/sbin/named',
  arguments: (folder) => ['-g', '-n', '1', '-c', join(folder, 'server.conf')],
  configuration: (folder, { address, port }, { zones, keys }) =>
    [
      ...keys.map(({ name, algorithm, secret }) => `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };`),
      `options { directory "${folder}"; listen-on port ${port} { ${address}; }; listen-on-v6 { none; }; recursion no;`,
      '  dnssec-validation no; notify no; pid-file none; session-keyfile none; };',
      'controls { };',
      ...zones.map((zone) => {
        const allowed = keys.map(({ name }) => `key "${name}";`).join(' ');
        return `zone "${zone}" { type primary; file "${zone}.zone"; allow-update { ${allowed} }; allow-transfer { ${allowed} }; };`;
      }),
    ].join('\n'),
};

const knot: Product = {
  name: 'knot',
  ready: 'server started',
  packages: `knot libdnssec9 libknot13 libzscanner4 liburcu8 liblmdb0 libxdp1 libbpf1 libcap-ng0`.split(/\s+/),
  program: 'usr/sbin/knotd',
  arguments: (folder) => ['-c', join(folder, 'server.conf')],
  configuration: (folder, { address, port }, { zones, keys }) =>
    [
      `server:\n  listen: ${address}@${port}\n  rundir: ${folder}\n  udp-workers: 1\n  tcp-workers: 1\n  background-workers: 1`,
      `database:\n  storage: ${folder}/db`,
      `log:\n  - target: stderr\n    any: info`,
      `key:`,
      ...keys.map(
        ({ name, algorithm, secret }) => `  - id: ${name}\n    algorithm: ${algorithm}\n    secret: ${secret}`,
      ),
      `acl:\n  - id: agents\n    key: [${keys.map(({ name }) => name).join(', ')}]\n    action: [update, transfer]`,
      `zone:`,
      ...zones.map((zone) => `  - domain: ${zone}\n    storage: ${folder}\n    file: ${zone}.zone\n    acl: agents`),
      '',
    ].join('\n'),
};

const zoneFile = (zone: string) =>
  [`$ORIGIN ${zone}.`, '$TTL 60', '@ SOA ns hostmaster 1 3600 600 86400 5', '@ NS ns', 'ns A 127.0.0.1', ''].join('\n');

const READY_WITHIN_MS = 20_000;

/** Starts each name server that can be had, and prints why another cannot. */
export async function startNameServers(served: ServedZones): Promise<readonly RunningNameServer[]> {
  const servers: RunningNameServer[] = [];
  for (const product of [bind9, knot]) {
    try {
      const server = await start(product, served, { address: '127.0.0.1', port: await freePort() });
      console.log(`dynamic updates by ${server.name} ${server.version} (Debian bookworm)`);
      servers.push(server);
    } catch (thrown) {
      console.log(
        `SKIPPED: dynamic updates against ${product.name}, because it cannot be started: ${messageOf(thrown)}`,
      );
    }
  }
  return servers;
}

/** bind9 at a place of its own. */
export const startBind9 = (served: ServedZones, at: NameServerPlace): Promise<RunningNameServer> =>
  start(bind9, served, at);

async function start(product: Product, served: ServedZones, at: NameServerPlace): Promise<RunningNameServer> {
  const cacheFolder = '/var/cache/kopsctl/test-peers';
  const { root, versions } = await unpackDebianPackages({ suite: 'bookworm', packages: product.packages, cacheFolder });
  const folder = await mkdtemp(join(tmpdir(), `${product.name}-`));
  await mkdir(join(folder, 'db'));
  for (const zone of served.zones) await writeFile(join(folder, `${zone}.zone`), zoneFile(zone));
  await writeFile(join(folder, 'server.conf'), product.configuration(folder, at, served));
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const libraries = ['usr/lib', 'lib'].map((path) => join(root, path, `${machine}-linux-gnu`)).join(':');
  const [program, ...args]: [string, ...string[]] = [
    ...(at.enter ?? []),
    join(root, product.program),
    ...product.arguments(folder),
  ] as [string, ...string[]];
  const child = spawn(program, args, {
    env: { PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: libraries },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilItListens(
      child,
      () => log.includes(product.ready) && isListening(at),
      () => log,
    );
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return { name: product.name, version: versions[product.name] ?? 'unknown', port: at.port, log: () => log, stop };
}

async function untilItListens(
  child: ChildProcess,
  isReady: () => false | Promise<boolean>,
  log: () => string,
): Promise<void> {
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${log().slice(-2000)}`);
    if (performance.now() > giveUpAtMs) throw new Error(`it did not listen in time:\n${log().slice(-2000)}`);
    await sleep(20);
  }
}

/** Behind a way in of its own, its log must do. */
async function isListening({ address, port, enter }: NameServerPlace): Promise<boolean> {
  if (enter !== undefined) return true;
  const socket = connect(port, address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
