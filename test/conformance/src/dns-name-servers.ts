import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { findPeer, type Peer, providePeer } from '@kopsctl/test-peers/provide.ts';

/** A running third-party name server that accepts dynamic updates. */
export interface RunningNameServer {
  readonly name: string;
  readonly version: string;
  readonly port: number;
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface ServedZones {
  readonly zones: readonly string[];
  /** The keys, each of which may update and transfer all zones. */
  readonly keys: readonly { readonly name: string; readonly algorithm: string; readonly secret: string }[];
}

/** Where a name server listens; `enter` is a command prefix. */
export interface NameServerPlace {
  readonly address: string;
  readonly port: number;
  readonly enter?: readonly [string, ...string[]];
}

interface Product {
  readonly name: 'bind9' | 'knot';
  readonly program: string;
  arguments(folder: string): readonly string[];
  configuration(folder: string, at: NameServerPlace, served: ServedZones): string;
  /** The log message of a ready server. */
  readonly ready: string;
}

const bind9: Product = {
  name: 'bind9',
  ready: 'running',
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

/** Starts one server of each product; returns none on a machine that cannot run them. */
export async function startNameServers(served: ServedZones): Promise<readonly RunningNameServer[]> {
  const servers: RunningNameServer[] = [];
  for (const product of [bind9, knot]) {
    const peer = await findPeer(product.name);
    if (peer === undefined) continue;
    servers.push(await start(product, peer, served, { address: '127.0.0.1', port: await freePort() }));
  }
  return servers;
}

/** Starts bind9 at the given place. */
export async function startBind9(served: ServedZones, at: NameServerPlace): Promise<RunningNameServer> {
  return start(bind9, await providePeer('bind9'), served, at);
}

async function start(
  product: Product,
  { root, versions }: Peer,
  served: ServedZones,
  at: NameServerPlace,
): Promise<RunningNameServer> {
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
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}:\n${log().slice(-2000)}`);
    if (performance.now() > giveUpAtMs) throw new Error(`the server did not listen in time:\n${log().slice(-2000)}`);
    await sleep(20);
  }
}

/** With a command prefix the port cannot be probed from here, so readiness is read from the log. */
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
