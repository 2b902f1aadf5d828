import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { RunningCluster } from '@kopsctl/model/cloud.ts';
import { publishesNames } from '@kopsctl/model/discovery.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { INSTANCE_FIELDS, machinesAmong, parseInstance } from '../../node/instances.ts';
import { CLUSTER_LABEL, clusterLabel } from '../../node/labels.ts';
import { list } from '../handlers/compute-calls.ts';
import { type GceCloud, openGce } from '../handlers/gce-cloud.ts';
import { doing } from '../handlers/google-error.ts';
import { clusterGroups } from '../handlers/instance-group-manager.ts';
import { gceModelCloud } from '../model-cloud.ts';
import { apiLoadBalancerAddress } from './api-address.ts';
import { expectedOf, type MachineGroup } from './expected-nodes.ts';

/** A cluster in GCE, seen with the permissions of the current account. */
export function runningGce({ cluster, instanceGroups }: Completed, storeUrl: string): RunningCluster {
  const facts = clusterFacts(cluster, storeUrl, gceModelCloud);
  const gce = openGce(cluster, false);
  const { signal } = new AbortController();
  const machines = () => machinesOf(gce, signal);
  return {
    async api() {
      if (facts.spec.api?.loadBalancer !== undefined) {
        const address = await doing(`look for the load balancer of ${facts.clusterName}`, () =>
          apiLoadBalancerAddress(gce, signal),
        );
        if (address === undefined) throw noAddress(facts.clusterName, 'its load balancer does not exist yet');
        // The certificate of an API server has names, and not every address.
        return { server: `https://${address}`, tlsServerName: facts.apiInternalName };
      }
      if (publishesNames(facts)) return { server: `https://${facts.apiPublicName}` };
      const [first] = (await machines()).filter(({ role }) => role === 'ControlPlane');
      const address = first?.externalAddresses[0] ?? first?.address;
      if (address === undefined) throw noAddress(facts.clusterName, 'it has no control plane yet');
      return { server: `https://${address}`, tlsServerName: facts.apiInternalName };
    },
    machines: async () =>
      (await machines()).map(({ instanceId, nodeName, role, instanceGroup, address, running }) => ({
        name: instanceId,
        nodeName: role === 'Bastion' ? '' : nodeName,
        role,
        instanceGroup,
        address,
        state: running ? 'running' : 'not running',
      })),
    async expectedNodes() {
      const [there, sizes] = await Promise.all([machines(), sizesOf(gce, signal)]);
      const groups = instanceGroups.map((group): MachineGroup => {
        const instanceGroup = group.metadata.name;
        return { instanceGroup, role: roleOf(group), desired: sizes.get(instanceGroup) ?? 0 };
      });
      return expectedOf(groups, there);
    },
  };
}

/** The machines of the cluster, in all zones. */
function machinesOf(gce: GceCloud, signal: AbortSignal) {
  const { project, clusterName } = gce;
  const filter = `labels.${CLUSTER_LABEL} = "${clusterLabel(clusterName)}"`;
  const listing = { project, place: 'aggregated', collection: 'instances', fields: INSTANCE_FIELDS, filter } as const;
  return doing(`list the machines of ${clusterName}`, async () =>
    machinesAmong((await list(gce, listing, signal)).map(parseInstance), clusterName),
  );
}

/** How many machines each instance group is to have, in all its zones. */
const sizesOf = (gce: GceCloud, signal: AbortSignal): Promise<ReadonlyMap<string, number>> =>
  doing(`list the groups of ${gce.clusterName}`, async () => {
    const sizes = new Map<string, number>();
    for (const { instanceGroup, targetSize } of await clusterGroups(gce, signal)) {
      sizes.set(instanceGroup, (sizes.get(instanceGroup) ?? 0) + targetSize);
    }
    return sizes;
  });

const noAddress = (cluster: string, why: string): ActionableError =>
  new ActionableError({
    what: `find the API of ${cluster}`,
    why,
    next: 'run `kopsctl update cluster --yes`, which creates it',
  });
