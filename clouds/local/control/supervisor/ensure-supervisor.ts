import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ensureImage } from '../image/image.ts';
import type { WantedMachines } from '../preflight/inotify.ts';
import type { InotifyLimit } from '../preflight/inotify-limit.ts';
import { preflight } from '../preflight/preflight.ts';
import { writeJsonFile } from '../records/json-file.ts';
import type { MachineSpec, NetworkRecord } from '../records/records.ts';
import { callSupervisor } from './call-supervisor.ts';
import type { ClusterHost } from './cluster-host.ts';
import { collectClusterGarbage } from './collect-garbage.ts';
import { describeCluster } from './describe-cluster.ts';
import { listenOnHost, portOf, startSupervisor } from './start-supervisor.ts';

export interface SupervisorOptions {
  readonly networkCidr: string;
  /** A file:// store: machines cannot reach any other. */
  readonly storeUrl: string;
  readonly assetsDir: string;
  /** As NetworkOptions has it. */
  readonly stateIdentity?: string | undefined;
  readonly storePlaces?: NetworkRecord['storePlaces'];
  /** The port of the Kubernetes API on 127.0.0.1: any free port at first, the same port from then on. */
  readonly port?: number;
}

export interface SupervisorEnv extends ClusterHost {
  readonly inotify: InotifyLimit;
}

/** Builds the image if it is missing, and starts the supervisor if it does not run. */
export async function ensureSupervisor(
  env: SupervisorEnv,
  { networkCidr, storeUrl, assetsDir, stateIdentity, storePlaces, port }: SupervisorOptions,
  signal?: AbortSignal,
): Promise<NetworkRecord> {
  const { cluster, dir, imageCache, command, paths, say, inotify } = env;
  if (!storeUrl.startsWith('file://')) throw unreachableStore(storeUrl);
  const found = await describeCluster(env, signal);
  if (found !== undefined && found.network.cidr !== networkCidr)
    throw otherCidr(cluster, found.network.cidr, networkCidr);
  if (found?.isRunning !== true) {
    const resumed = found === undefined || found.machines.length === 0 ? {} : { machines: rolesOf(found.machines) };
    await preflight({ dir, imageCache, cluster, packages: true, ...resumed });
    await inotify.makeRoomFor(rolesOf(found?.machines ?? []));
  }
  const layers = [...(await ensureImage(imageCache, say, signal))];
  const options = {
    cidr: networkCidr,
    storeUrl,
    assetsDir,
    layers,
    ...(stateIdentity && { stateIdentity }),
    ...(storePlaces && { storePlaces }),
  };
  if (found?.isRunning === true) {
    const { storePlaces: _, ...former } = found.network;
    const network = { ...former, ...options };
    if (JSON.stringify(network) !== JSON.stringify(found.network))
      await callSupervisor(env, 'PUT', '/v1/network', { body: options, signal });
    return network;
  }
  await collectClusterGarbage(dir, cluster);
  const hostPort = await listenOnHost(found?.network.apiPort ?? port ?? 0);
  const network = { ...options, apiPort: portOf(hostPort) };
  await writeJsonFile(paths.network, network);
  await startSupervisor(paths, [...command, '--dir', dir, '--cluster', cluster], hostPort);
  return network;
}

export const rolesOf = (machines: readonly Pick<MachineSpec, 'name' | 'role'>[]): WantedMachines =>
  new Map(machines.map(({ name, role }) => [name, role]));

function otherCidr(cluster: string, has: string, wanted: string): ActionableError {
  return new ActionableError({
    what: `change the network of the local cluster ${cluster} from ${has} to ${wanted}`,
    why: 'the network of a local cluster cannot change while it has machines',
    next: `set spec.networkCIDR back to ${has}, or delete the cluster and apply it again`,
  });
}

function unreachableStore(storeUrl: string): ActionableError {
  return new ActionableError({
    what: `give local machines the state store ${storeUrl}`,
    why: 'their network has no way out, and only a file:// store can be passed on to them',
    next: 'use --state file:///var/lib/kopsctl/state (or another folder) for clusters with cloudProvider local',
  });
}
