import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { Server as NetServer } from 'node:net';
import { parseArgs } from 'node:util';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { addressPool } from './address-pool.ts';
import { proxyApi } from './api-proxy.ts';
import { type ApiEnv, createApiServer } from './api-server.ts';
import { cgroupMounts } from './cgroups.ts';
import { METADATA_ADDRESS, createClusterNetwork } from './cluster-network.ts';
import { clusterPaths } from './cluster-paths.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { Machines } from './machines.ts';
import { createMetadataServer } from './metadata-server.ts';
import { nspawnDriver } from './nspawn.ts';
import { type NetworkRecord, networkRecordSchema } from './records.ts';
import { Revisions } from './revisions.ts';
import { Volumes } from './volumes.ts';

/**
 * Runs one local cluster until it is shut down: `--dir <state folder> --cluster <name>`. Expects to
 * be started by start-supervisor.ts in namespaces of its own, as the child of their PID 1, with a
 * listening socket of the host handed to it.
 */
export async function runSupervisor(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: { dir: { type: 'string' }, cluster: { type: 'string' } } });
  const { dir, cluster } = values;
  if (dir === undefined || cluster === undefined) throw new Error('local-supervisor needs --dir and --cluster');
  const hostPort = listeningSocketOfHost();
  const paths = clusterPaths(dir, cluster);
  const read = await readJsonFile(paths.network, networkRecordSchema);
  if (read === undefined) throw new Error(`${paths.network} is not there`);
  let network: NetworkRecord = read;

  const pool = addressPool(network.cidr);
  const hostSocket = await hostPort;
  await createClusterNetwork(pool);
  const revisions = new Revisions(randomUUID().slice(0, 8));
  const volumes = await Volumes.open({ paths, revisions });
  const machines = await Machines.open({
    paths,
    pool,
    layers: () => network.layers,
    assetsDir: () => (existsSync(network.assetsDir) ? network.assetsDir : undefined),
    driver: nspawnDriver(cluster, await cgroupMounts()),
    revisions,
    say,
    onStarted: (name, running) => volumes.showAll(name, running),
    onDown: (name) => volumes.releaseAll(name),
  });
  let store: StateStore = await openStore(network.storeUrl, process.env);

  const metadata = createMetadataServer({
    cluster,
    revisions,
    assetsDir: () => network.assetsDir,
    store: () => store,
    machines: () => machines.list(),
    volumes: () => volumes.list(),
    attach: async (volume, name) =>
      volumes.attach(volume, { name, address: machines.address(name), running: machines.running(name) }),
    detach: async (volume, name) => volumes.detach(volume, { name, running: machines.running(name) }),
  });
  await listening(metadata, { host: METADATA_ADDRESS, port: 80 });
  proxyApi(hostSocket, () =>
    machines
      .list()
      .flatMap((machine) => (machine.role === 'ControlPlane' && machine.state === 'running' ? [machine.address] : [])),
  );

  const ended = Promise.withResolvers<void>();
  const env: ApiEnv = {
    revisions,
    state: () => ({
      revision: revisions.current,
      network,
      machines: [...machines.list()],
      volumes: [...volumes.list()],
    }),
    async setNetwork(options) {
      store = await openStore(options.storeUrl, process.env);
      network = { ...network, ...options };
      await writeJsonFile(paths.network, network);
      revisions.changed();
    },
    createMachine: (spec) => machines.create(spec),
    machineAction: (name, action) => machines[action](name),
    execArgv: (name, argv) => machines.running(name).execArgv(argv),
    createVolume: (spec) => volumes.create(spec),
    deleteVolume: (name) => volumes.remove(name),
    async shutDown() {
      await Promise.all(machines.list().map((machine) => machines.terminate(machine.name)));
      for (const volume of volumes.list()) await volumes.remove(volume.name);
      say('shut down');
      // The answer must be out before this process, and with it the namespaces, end.
      setTimeout(ended.resolve, 50);
    },
  };
  await mkdir(paths.root, { recursive: true, mode: 0o700 });
  await rm(paths.socket, { force: true });
  await listening(createApiServer(env), { path: paths.socket });
  await chmod(paths.socket, 0o600);
  say(`supervisor of ${cluster} is ready`);
  process.send?.('ready', () => process.disconnect());
  await machines.resume();
  await ended.promise;
  process.exit(0);
}

/** Goes to supervisor.log. */
function say(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}

/** The host's listening socket comes over the channel of the one who started us. */
function listeningSocketOfHost(): Promise<NetServer> {
  const { promise, resolve, reject } = Promise.withResolvers<NetServer>();
  process.once('disconnect', () => reject(new Error('whoever started this supervisor went away')));
  process.once('message', (_message, handle) => {
    if (handle instanceof NetServer) resolve(handle);
    else reject(new Error('no listening socket was handed over'));
  });
  return promise;
}

function listening(
  server: NetServer,
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`cannot listen at ${JSON.stringify(where)}: ${messageOf(error)}`)),
    );
    server.listen(where, resolve);
  });
}
