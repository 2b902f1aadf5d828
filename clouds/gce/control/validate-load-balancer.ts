import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

type LoadBalancer = NonNullable<NonNullable<ClusterSpec['api']>['loadBalancer']>;

/** Settings of load balancers in AWS alone (kops pkg/apis/kops/validation/validation.go). */
const OF_AWS = [
  'class',
  'idleTimeoutSeconds',
  'securityGroupOverride',
  'additionalSecurityGroups',
  'sslCertificate',
  'sslPolicy',
  'crossZoneLoadBalancing',
  'accessLog',
] as const satisfies readonly (keyof LoadBalancer)[];

/** The load balancer of the API has no settings but its type. */
export function* validateLoadBalancer({ api }: ClusterSpec): Iterable<Fault> {
  for (const field of OF_AWS) {
    const value = api?.loadBalancer?.[field];
    // As in kops, an empty word is none.
    if (value === undefined || ((field === 'class' || field === 'sslCertificate') && value === '')) continue;
    yield fault(`spec.api.loadBalancer.${field}`, 'load balancers in GCE do not have it', 'remove this field');
  }
}
