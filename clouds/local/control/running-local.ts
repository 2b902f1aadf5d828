import type { LocalCloud } from './supervisor/client.ts';
import { describeLocal } from './local-cluster.ts';
import type { RunningCluster } from '@kopsctl/model/cloud.ts';

/** A cluster on this computer. */
export function runningLocal(local: LocalCloud): RunningCluster {
  const machines = async () => (await describeLocal(local)).machines;
  return {
    api: async () => ({ server: `https://127.0.0.1:${(await describeLocal(local)).network.apiPort}` }),
    machines,
    expectedNodes: async () =>
      (await machines()).map(({ nodeName, instanceGroup, role, state, machineId }) => ({
        nodeName,
        instanceGroup,
        role,
        running: state === 'running',
        machineId,
      })),
  };
}
