import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { apiLoadBalancer } from '../model/api-load-balancer.ts';
import { awsContext } from '../model/aws-context.ts';
import { publishesDns } from '../model/dns.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** How administrators reach the API of a cluster in AWS. `port` is empty or begins with a colon. */
export type ApiEntry = { readonly region: string; readonly port: string } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'load-balancer'; readonly loadBalancer: string | undefined; readonly tlsServerName: string }
);

/** If the load balancer terminates TLS, client certificates only work on this port (kops pkg/kubeconfig). */
const PLAIN_PORT = ':8443';

/**
 * Uses the cluster's API name where it is published in DNS. Otherwise uses the DNS name of the load balancer, which is
 * not in the certificate of the API server: then another name in the certificate is verified.
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
