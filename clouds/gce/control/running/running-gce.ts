import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { RunningCluster } from '@kopsctl/model/cloud.ts';
import { publishesNames } from '@kopsctl/model/discovery.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { openGce } from '../handlers/gce-cloud.ts';
import { doing } from '../handlers/google-error.ts';
import { gceModelCloud } from '../model/model-cloud.ts';
import { apiLoadBalancerAddress } from './api-address.ts';
import { launchFailures } from './launch-failures.ts';
import { groupsOf, machinesOf, wantedSizes } from './machines-and-groups.ts';

/** A cluster in GCE, seen with the permissions of the current account. */
export function runningGce({ cluster }: Completed, storeUrl: string): RunningCluster {
  const facts = clusterFacts(cluster, storeUrl, gceModelCloud);
  const gce = openGce(cluster, false);
  const { signal } = new AbortController();
  return {
    async api() {
      if (facts.spec.api?.loadBalancer !== undefined) {
        const address = await doing(`look for the load balancer of ${facts.clusterName}`, () =>
          apiLoadBalancerAddress(gce, signal),
        );
        if (address === undefined) throw noAddress(facts.clusterName, 'its load balancer does not exist yet');
        // The certificate of an API server contains names, but not every address.
        return { server: `https://${address}`, tlsServerName: facts.apiInternalName };
      }
      if (publishesNames(facts)) return { server: `https://${facts.apiPublicName}` };
      const [first] = (await machinesOf(gce, signal)).filter(({ role }) => role === 'ControlPlane');
      const address = first?.externalAddresses[0] ?? first?.address;
      if (address === undefined) throw noAddress(facts.clusterName, 'it has no control plane yet');
      return { server: `https://${address}`, tlsServerName: facts.apiInternalName };
    },
    async console(machine, until) {
      const { serialPortOutput } = await import('./serial-port-output.ts');
      return serialPortOutput(gce, machine, until);
    },
    machines: async () =>
      (await machinesOf(gce, signal)).map(
        ({ instanceId, nodeName, role, instanceGroup, address, externalAddresses, machineType, running }) => ({
          name: instanceId,
          nodeName: role === 'Bastion' ? '' : nodeName,
          role,
          instanceGroup,
          address,
          ...(externalAddresses[0] !== undefined && { externalAddress: externalAddresses[0] }),
          ...(machineType !== '' && { machineType }),
          state: running ? 'running' : 'not running',
        }),
      ),
    async runningMachines(until) {
      const [there, groups] = await Promise.all([machinesOf(gce, until), groupsOf(gce, until)]);
      return {
        machines: there.map(({ instanceId, nodeName, instanceGroup, role, running, address, externalAddresses }) => ({
          nodeName: role === 'Bastion' ? instanceId : nodeName,
          instanceGroup,
          role,
          running,
          addresses: [address, ...externalAddresses],
        })),
        desired: wantedSizes(groups),
        shortfalls: await launchFailures(gce, groups, there, until),
      };
    },
  };
}

const noAddress = (cluster: string, why: string): ActionableError =>
  new ActionableError({
    what: `find the API of ${cluster}`,
    why,
    next: 'run `kopsctl update cluster --yes`, which creates it',
  });
