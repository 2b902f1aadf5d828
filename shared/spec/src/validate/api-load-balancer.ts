import type { CloudTraits } from '../cloud-traits.ts';
import type { Cluster } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** The load balancer of the API, in every cloud that has them (kops pkg/apis/kops/validation/validation.go). */
export function* validateApiLoadBalancer({ spec }: Cluster, { hasLoadBalancers }: CloudTraits): Iterable<Fault> {
  const { api, subnets } = spec;
  if (!hasLoadBalancers || api?.loadBalancer?.type !== 'Internal') return;
  if (subnets === undefined || subnets.some(({ type }) => type === 'Private')) return;
  const message = 'an internal load balancer is in private subnets, and the cluster has none';
  yield fault('spec.api.loadBalancer.type', message, 'add a subnet with type: Private, or write Public');
}
