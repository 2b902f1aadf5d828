import type { LocalCloud } from './supervisor/client.ts';
import { describeLocal } from './local-cluster.ts';
import type { RunningCluster } from '@kopsctl/model/cloud.ts';

/** A cluster on this computer. */
export function runningLocal(local: LocalCloud): RunningCluster {
  const machines = async (signal?: AbortSignal) => (await describeLocal(local, signal)).machines;
  return {
    api: async (signal) => ({
      server: `https://127.0.0.1:${(await describeLocal(local, signal)).network.apiPort}`,
    }),
    machines: () => machines(),
    runningMachines: async (signal) => ({
      machines: (await machines(signal)).map(({ nodeName, instanceGroup, role, state, machineId, address }) => ({
        nodeName,
        instanceGroup,
        role,
        running: state === 'running',
        machineId,
        addresses: [address],
      })),
    }),
  };
}
