import type { ClusterFacts } from '../cluster-facts.ts';
import type { AddonObject } from './addon-object.ts';

/** Where protokube answers on control planes: the port of DNS itself may be in use. */
export const CLUSTER_DNS_PORT = 10_053;

/** Whether protokube answers for the names of Services: machines of such a cloud have no image of CoreDNS. */
export const answersClusterDns = ({ cloud, spec }: Pick<ClusterFacts, 'cloud' | 'spec'>): boolean =>
  cloud.traits.clusterDns === 'agents' && spec.kubeDNS?.provider !== 'None' && spec.kubeDNS?.serverIP !== undefined;

/** The Service that pods ask. It has no selector: protokube keeps its Endpoints. */
export function agentsDnsObjects({ spec }: ClusterFacts): readonly AddonObject[] {
  const port = (name: string, protocol: string) => ({ name, port: 53, protocol, targetPort: CLUSTER_DNS_PORT });
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'kube-dns',
        namespace: 'kube-system',
        labels: { 'k8s-app': 'kube-dns', 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
      },
      spec: { clusterIP: spec.kubeDNS?.serverIP ?? '', ports: [port('dns', 'UDP'), port('dns-tcp', 'TCP')] },
    },
  ];
}
