import { openAws } from '../handlers/aws-cloud.ts';
import { namingOf } from '../naming.ts';
import { launchFailures } from './launch-failures.ts';
import { loadBalancerAddress } from './load-balancer-address.ts';
import { machineGroups } from './machine-groups.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { awsModelCloud } from '../model/model-cloud.ts';
import { apiEntry } from './api-entry.ts';
import { machinesOf, runningMachinesOf } from './expected-nodes.ts';
import type { RunningCluster } from '@kopsctl/model/cloud.ts';

/** A cluster in AWS, seen with the permissions of the current account. */
export function runningAws({ cluster, instanceGroups }: Completed, storeUrl: string): RunningCluster {
  const facts = clusterFacts(cluster, storeUrl, awsModelCloud);
  const entry = apiEntry(facts, instanceGroups);
  const naming = namingOf(facts);
  const aws = openAws({ clusterName: facts.clusterName, region: entry.region });
  return {
    async api(signal) {
      if (entry.kind === 'name') return { server: `https://${entry.name}${entry.port}` };
      const address = entry.loadBalancer && (await loadBalancerAddress(aws, entry.loadBalancer, signal));
      if (!address) throw noAddress(facts.clusterName, entry.loadBalancer);
      return { server: `https://${address}${entry.port}`, tlsServerName: entry.tlsServerName };
    },
    async console(machine, signal) {
      const { consoleOutput } = await import('./console-output.ts');
      return consoleOutput(aws, machine, signal);
    },
    machines: async () => machinesOf(await machineGroups(aws), naming),
    async runningMachines(signal) {
      const groups = await machineGroups(aws, signal);
      return { ...runningMachinesOf(groups, naming), shortfalls: await launchFailures(aws, groups, signal) };
    },
  };
}

const noAddress = (cluster: string, loadBalancer: string | undefined): ActionableError =>
  new ActionableError({
    what: `find the API of ${cluster}`,
    why:
      loadBalancer === undefined
        ? 'its names are not in DNS, and it has no load balancer for the API'
        : `there is no load balancer ${loadBalancer} of this cluster`,
    next:
      loadBalancer === undefined
        ? 'set spec.api.loadBalancer, and run `kopsctl update cluster --yes`'
        : 'run `kopsctl update cluster --yes`, which creates it',
  });
