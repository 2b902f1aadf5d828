import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** What AWS has no way to do (kops pkg/apis/kops/validation/validation.go). */
export function* validateAws({ spec }: Cluster): Iterable<Fault> {
  const { iam, serviceAccountIssuerDiscovery: discovery } = spec;
  yield* namesFromAddresses(spec);
  yield* classOfBalancer(spec);
  yield* imagesOfAllPools(spec);
  if (discovery?.enableAWSOIDCProvider === true) return;
  const hint = 'set spec.serviceAccountIssuerDiscovery: discoveryStore, and enableAWSOIDCProvider: true';
  const why = 'AWS does not trust the tokens of service accounts';
  if (iam?.useServiceAccountExternalPermissions === true) {
    yield fault('spec.iam.useServiceAccountExternalPermissions', why, hint);
  }
  if ((iam?.serviceAccountExternalPermissions ?? []).length > 0) {
    yield fault('spec.iam.serviceAccountExternalPermissions', why, hint);
  }
}

/** In a subnet without IPv4 an instance's private name can only be that of its id (EC2 user guide, "Instance hostnames"). */
function* namesFromAddresses({ cloudConfig, subnets = [] }: ClusterSpec): Iterable<Fault> {
  const without = subnets.find(({ cidr, ipv6CIDR }) => cidr === undefined && ipv6CIDR !== undefined);
  if (cloudConfig?.useIPBasedNodeNames !== true || without === undefined) return;
  yield fault(
    'spec.cloudConfig.useIPBasedNodeNames',
    `machines in subnet ${without.name} have no IPv4 address that they could be called after`,
    'remove it, or give the subnet a cidr',
  );
}

/** kops 1.37 has removed classic load balancers (docs/releases/1.37-NOTES.md), and says the same. */
function* classOfBalancer({ api }: ClusterSpec): Iterable<Fault> {
  const found = api?.loadBalancer?.class;
  if (found === undefined || found === 'Network') return;
  if (found !== 'Classic') {
    yield fault('spec.api.loadBalancer.class', `expected Network, found '${found}'`);
    return;
  }
  yield fault(
    'spec.api.loadBalancer.class',
    'classic load balancers are not made: the API gets a network load balancer',
    'write Network; of a cluster that runs, kubeconfigs and DNS records change with the address of the API',
  );
}

/** kops pkg/apis/kops/validation/validation.go: what machines run differs between groups. */
function* imagesOfAllPools({ warmPool }: ClusterSpec): Iterable<Fault> {
  if (warmPool?.additionalImages === undefined) return;
  yield fault(
    'spec.warmPool.additionalImages',
    'images are pulled for the warm pool of one instance group',
    'set spec.warmPool.additionalImages of the instance group',
  );
}
