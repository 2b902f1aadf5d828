import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { RunningCluster } from '@kopsctl/model/cloud.ts';
import { isOwned } from '../node/ownership.ts';
import type { ToyService } from '../node/toy-things.ts';

/** A cluster in the toy cloud, as it runs. */
export function runningToy(toy: ToyService, cluster: string): RunningCluster {
  const own = async () => (await toy.machines.list()).filter((machine) => isOwned(machine, cluster));
  return {
    async api() {
      const controlPlane = (await own()).find(({ role, running }) => role === 'ControlPlane' && running);
      // Nothing answers there, which a caller notices at once.
      if (controlPlane !== undefined) return { server: 'https://127.0.0.1:9' };
      throw new ActionableError({
        what: `find the API of ${cluster}`,
        why: 'none of its control planes runs',
        next: `make them with \`kopsctl update cluster ${cluster} --yes\``,
      });
    },
    machines: async () =>
      (await own()).map(({ name, role, instanceGroup, address, running }) => ({
        name,
        nodeName: name,
        role,
        instanceGroup,
        address,
        state: running ? 'running' : 'stopped',
      })),
    runningMachines: async () => ({
      machines: (await own()).map(({ name, instanceGroup, role, running, address }) => ({
        nodeName: name,
        instanceGroup,
        role,
        running,
        addresses: [address],
      })),
    }),
  };
}
