import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Log } from '@kopsctl/agent/log.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { Machines } from '../machines/machines.ts';
import type { MetadataEnv } from '../metadata/metadata-server.ts';
import { addressPool } from '../network/address-pool.ts';
import { createClusterNetwork } from '../network/cluster-network.ts';
import { cgroupMounts } from '../nspawn/cgroups.ts';
import { nspawnDriver } from '../nspawn/nspawn-driver.ts';
import type { ClusterPaths } from '../records/cluster-paths.ts';
import { readJsonFile, writeJsonFile } from '../records/json-file.ts';
import { type NetworkRecord, networkRecordSchema } from '../records/records.ts';
import { Volumes } from '../volumes/volumes.ts';
import type { ApiEnv } from './api-server.ts';
import { openServedStore } from './served-store.ts';
import { Revisions } from './revisions.ts';

/** The cluster of one supervisor, which its servers share. */
export interface SupervisedCluster {
  readonly name: string;
  readonly paths: ClusterPaths;
  readonly revisions: Revisions;
  readonly machines: Machines;
  readonly volumes: Volumes;
  /** Replaced when a client changes the options. */
  readonly options: { network: NetworkRecord; store: StateStore };
  readonly log: Log;
}

export interface OpenSupervised extends Pick<SupervisedCluster, 'name' | 'paths' | 'log'> {
  /** Nothing is created before this resolves. */
  readonly after: Promise<unknown>;
}

/** Reads the records of a cluster and creates its network. Starts no machine yet. */
export async function openSupervisedCluster({ name, paths, log, after }: OpenSupervised): Promise<SupervisedCluster> {
  const network = await readJsonFile(paths.network, networkRecordSchema);
  if (network === undefined) throw new Error(`${paths.network} does not exist`);
  const pool = addressPool(network.cidr);
  await after;
  await createClusterNetwork(pool);
  const revisions = new Revisions(randomUUID().slice(0, 8));
  const volumes = await Volumes.open({ paths, revisions });
  const options = { network, store: await openServedStore(network) };
  const machines = await Machines.open({
    paths,
    pool,
    layers: () => options.network.layers,
    assetsDir: () => (existsSync(options.network.assetsDir) ? options.network.assetsDir : undefined),
    driver: nspawnDriver(name, await cgroupMounts()),
    revisions,
    log,
    onStarted: (machine, running) => volumes.showAll(machine, running),
    onDown: (machine) => volumes.releaseAll(machine),
  });
  return { name, paths, revisions, machines, volumes, options, log };
}

/** The addresses of running control-plane machines. */
export const controlPlaneAddresses = ({ machines }: SupervisedCluster): readonly string[] =>
  machines
    .list()
    .flatMap((machine) => (machine.role === 'ControlPlane' && machine.state === 'running' ? [machine.address] : []));

/** The cluster as its metadata service sees it. */
export const metadataEnv = ({ name, revisions, machines, volumes, options }: SupervisedCluster): MetadataEnv => ({
  cluster: name,
  revisions,
  assetsDir: () => options.network.assetsDir,
  store: () => options.store,
  machines: () => machines.list(),
  volumes: () => volumes.list(),
  attach: async (volume, machine) =>
    volumes.attach(volume, {
      name: machine,
      address: machines.address(machine),
      running: machines.running(machine),
    }),
  detach: async (volume, machine) => volumes.detach(volume, { name: machine, running: machines.running(machine) }),
});

/** The cluster as clients on the host see it. @param onShutDown called once everything has been removed */
export function apiEnv(cluster: SupervisedCluster, onShutDown: () => void): ApiEnv {
  const { paths, revisions, machines, volumes, options, log } = cluster;
  return {
    revisions,
    state: () => ({
      revision: revisions.current,
      network: options.network,
      machines: [...machines.list()],
      volumes: [...volumes.list()],
    }),
    async setNetwork(changed) {
      const network = { ...options.network, ...changed };
      options.store = await openServedStore(network);
      options.network = network;
      await writeJsonFile(paths.network, options.network);
      revisions.changed();
    },
    createMachine: (spec) => machines.create(spec),
    renewMachine: (name, userData) => machines.renew(name, userData),
    machineAction: (name, action) => machines[action](name),
    stopMachine: (name, withinMs) => machines.stop(name, withinMs),
    execArgv: (name, argv) => machines.running(name).execArgv(argv),
    createVolume: (spec) => volumes.create(spec),
    deleteVolume: (name) => volumes.remove(name),
    async shutDown() {
      await Promise.all(machines.list().map((machine) => machines.terminate(machine.name)));
      for (const volume of volumes.list()) await volumes.remove(volume.name);
      log.info('shut down');
      onShutDown();
    },
  };
}
