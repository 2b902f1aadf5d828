import { readJsonFile, readRecords } from '../records/json-file.ts';
import {
  type ClusterState,
  clusterStateSchema,
  machineRecordSchema,
  networkRecordSchema,
  volumeSpecSchema,
} from '../records/records.ts';
import { isAway } from './call-supervisor.ts';
import type { ClusterHost } from './cluster-host.ts';
import { requireOwn } from './own-cluster.ts';
import { socketRequest } from './socket-request.ts';

/** The state of a local cluster, with or without a running supervisor. */
export interface LocalDescription extends ClusterState {
  readonly isRunning: boolean;
}

/** Asks the supervisor, or reads the cluster's records if none runs. Undefined if there is no such cluster. */
export async function describeCluster(host: ClusterHost, signal?: AbortSignal): Promise<LocalDescription | undefined> {
  const { paths } = host;
  await requireOwn(host);
  try {
    const state = clusterStateSchema.parse(await socketRequest(paths.socket, 'GET', '/v1/state', { signal }));
    return { ...state, isRunning: true };
  } catch (error) {
    if (!isAway(error)) throw error;
  }
  const network = await readJsonFile(paths.network, networkRecordSchema);
  if (network === undefined) return undefined;
  const machines = await readRecords(paths.machines, 'machine.json', machineRecordSchema);
  const volumes = await readRecords(paths.volumes, 'volume.json', volumeSpecSchema);
  return {
    isRunning: false,
    revision: 'stopped',
    network,
    machines: [...machines.values()].map((machine) => ({ ...machine, state: 'stopped', boots: 0 })),
    volumes: [...volumes.values()],
  };
}
