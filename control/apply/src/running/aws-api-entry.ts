import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { apiLoadBalancer } from '@kopsctl/model/cloud/aws/api-load-balancer.ts';
import { awsContext } from '@kopsctl/model/cloud/aws/aws-context.ts';
import { publishesDns } from '@kopsctl/model/cloud/aws/dns.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** How an administrator comes to the API of a cluster in AWS. `port` is '' or begins with a colon. */
export type ApiEntry = { readonly region: string; readonly port: string } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'load-balancer'; readonly loadBalancer: string | undefined; readonly tlsServerName: string }
);

/** Where a load balancer has a certificate of its own, client certificates pass by this port only (kops pkg/kubeconfig). */
const PLAIN_PORT = ':8443';

/**
 * By name where the cluster publishes its names. Otherwise by the load balancer's own name, which the API server's
 * certificate does not hold: another name of it is checked.
 */
export function apiEntry(facts: ClusterFacts, groups: readonly InstanceGroup[]): ApiEntry {
  const context = awsContext(facts, groups);
  const { region } = context;
  const port = facts.spec.api?.loadBalancer?.sslCertificate ? PLAIN_PORT : '';
  if (publishesDns(context)) return { kind: 'name', region, port, name: facts.apiPublicName };
  const made = apiLoadBalancer(context).find(({ kind }) => kind === 'aws/LoadBalancer')?.props['name'];
  return {
    kind: 'load-balancer',
    region,
    port,
    loadBalancer: typeof made === 'string' ? made : undefined,
    tlsServerName: facts.apiInternalName,
  };
}
