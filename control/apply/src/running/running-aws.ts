import { openAws } from '@kopsctl/clouds/aws/handlers/aws-cloud.ts';
import { nodeNaming } from '@kopsctl/clouds/aws/node/node-name.ts';
import { loadBalancerAddress } from '@kopsctl/clouds/aws/running/load-balancer-address.ts';
import { machineGroups } from '@kopsctl/clouds/aws/running/machine-groups.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { apiEntry } from './aws-api-entry.ts';
import { expectedOf, machinesOf } from './aws-expected.ts';
import type { RunningCluster } from './running-cluster.ts';

/** A cluster in AWS, as the account that runs this sees it. */
export function runningAws({ cluster, instanceGroups }: Completed, storeUrl: string): RunningCluster {
  const facts = clusterFacts(cluster, storeUrl);
  const entry = apiEntry(facts, instanceGroups);
  const naming = nodeNaming({ kubernetesVersion: facts.kubernetesVersion });
  const aws = openAws({ clusterName: facts.clusterName, region: entry.region });
  return {
    async api() {
      if (entry.kind === 'name') return { server: `https://${entry.name}${entry.port}` };
      const address = entry.loadBalancer && (await loadBalancerAddress(aws, entry.loadBalancer));
      if (!address) throw noAddress(facts.clusterName, entry.loadBalancer);
      return { server: `https://${address}${entry.port}`, tlsServerName: entry.tlsServerName };
    },
    machines: async () => machinesOf(await machineGroups(aws), naming),
    expectedNodes: async () => expectedOf(await machineGroups(aws), naming),
  };
}

const noAddress = (cluster: string, loadBalancer: string | undefined): ActionableError =>
  new ActionableError({
    what: `find the API of ${cluster}`,
    why:
      loadBalancer === undefined
        ? 'its names are in no DNS, and it has no load balancer for the API'
        : `there is no load balancer ${loadBalancer} of this cluster`,
    next:
      loadBalancer === undefined
        ? 'set spec.api.loadBalancer, and run `kopsctl update cluster --yes`'
        : 'run `kopsctl update cluster --yes`, which makes it',
  });
