import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { urlHost } from '@kopsctl/http/url-host.ts';
import type { RunningCluster } from '@kopsctl/model/cloud.ts';
import { ENROLLED } from '@kopsctl/model/machine-state.ts';
import type { HostRecord } from '@kopsctl/node-identity/host-record.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { knownHosts } from '../node/known-hosts.ts';

/** A cluster of the machines that people enrolled. */
export function runningMetal(cluster: string, storeUrl: string): RunningCluster {
  const hosts = async (signal?: AbortSignal): Promise<readonly HostRecord[]> =>
    knownHosts(cluster, await openStore(storeUrl, process.env)).read(signal);
  return {
    async api(signal) {
      const controlPlane = (await hosts(signal)).find(({ role }) => role === 'ControlPlane');
      if (controlPlane !== undefined) return { server: `https://${urlHost(controlPlane.address)}` };
      throw new ActionableError({
        what: `find the API of ${cluster}`,
        why: 'no control plane is enrolled',
        next: 'enroll one with `kopsctl toolbox enroll --instance-group GROUP --host ADDRESS`',
      });
    },
    machines: async () =>
      (await hosts()).map(({ node, role, instanceGroup, address }) => ({
        name: node,
        nodeName: node,
        role,
        instanceGroup,
        address,
        state: ENROLLED,
      })),
    runningMachines: async (signal) => ({
      machines: (await hosts(signal)).map(({ node, instanceGroup, role, address }) => ({
        nodeName: node,
        instanceGroup,
        role,
        running: true,
        addresses: [address],
      })),
    }),
  };
}
