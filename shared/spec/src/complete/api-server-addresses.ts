import type { ClusterSpec, KubeAPIServerConfig } from '../cluster.ts';
import { isIpv6Alone } from '../names.ts';

/** Where an API server listens, and which etcd it asks. */
export type ApiServerAddresses = Pick<
  KubeAPIServerConfig,
  'bindAddress' | 'etcdServers' | 'etcdServersOverrides' | 'securePort'
>;

/**
 * Load balancers, kubeconfigs and probes know no other port, and a control plane uses the etcd members on the same machine, on
 * kops's ports (kops pkg/model/components/apiserver.go).
 */
export function apiServerAddresses(spec: ClusterSpec): ApiServerAddresses {
  const has = (cluster: string) => (spec.etcdClusters ?? []).some(({ name }) => name === cluster);
  const overrides = [
    ...(has('events') ? ['/events#https://127.0.0.1:4002'] : []),
    ...(has('leases') ? ['coordination.k8s.io/leases#https://127.0.0.1:4004'] : []),
  ];
  return {
    bindAddress: isIpv6Alone(spec) ? '::' : '0.0.0.0',
    securePort: 443,
    ...(has('main') && { etcdServers: ['https://127.0.0.1:4001'] }),
    ...(overrides.length > 0 && { etcdServersOverrides: overrides }),
  };
}
