import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { usesHubble } from './hubble.ts';

export const CILIUM_CONFIG = 'cilium-config';

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Cilium's settings of the spec's fields, with kops's defaults (pkg/model/components/cilium.go). Agents ignore settings
 * that their release does not know, so that one list serves all of them.
 */
export function ciliumSettings(facts: ClusterFacts, wished: CiliumNetworking): Readonly<Record<string, string>> {
  const ipv6 = facts.spec.nonMasqueradeCIDR === '::/0';
  const settings: Values = {
    'agent-health-port': 9879,
    'bpf-ct-global-any-max': wished.bpfCTGlobalAnyMax ?? 262144,
    'bpf-ct-global-tcp-max': wished.bpfCTGlobalTCPMax ?? 524288,
    'bpf-lb-algorithm': wished.bpfLBAlgorithm ?? 'random',
    'bpf-lb-maglev-table-size': wished.bpfLBMaglevTableSize ?? '16381',
    'bpf-lb-map-max': wished.bpfLBMapMax ?? 65536,
    'bpf-lb-sock': wished.bpfLBSock,
    'bpf-lb-sock-hostns-only': wished.bpfLBSockHostNSOnly ?? false,
    'bpf-nat-global-max': wished.bpfNATGlobalMax ?? 524288,
    'bpf-neigh-global-max': wished.bpfNeighGlobalMax ?? 524288,
    'bpf-policy-map-max': wished.bpfPolicyMapMax ?? 16384,
    'cgroup-root': '/run/cilium/cgroupv2',
    'cluster-id': wished.clusterID,
    'cluster-name': wished.clusterName ?? 'default',
    'cni-chaining-mode': wished.chainingMode,
    'cni-exclusive': wished.cniExclusive ?? true,
    'cni-log-file': '/var/run/cilium/cilium-cni.log',
    debug: wished.debug ?? false,
    'debug-verbose': wished.debugVerbose?.join(' '),
    'disable-endpoint-crd': wished.disableEndpointCRD ?? false,
    'enable-bpf-masquerade': (wished.enableBPFMasquerade ?? false) && !ipv6,
    'enable-endpoint-health-checking': wished.enableEndpointHealthChecking ?? true,
    'enable-host-firewall': wished.enableHostFirewall,
    'enable-ipv4': !ipv6,
    'enable-ipv4-masquerade': !(wished.disableMasquerade ?? ipv6),
    'enable-ipv6': ipv6,
    'enable-ipv6-masquerade': false,
    'enable-l7-proxy': wished.enableL7Proxy ?? true,
    'enable-local-redirect-policy': wished.enableLocalRedirectPolicy,
    'enable-node-port': wished.enableNodePort ?? false,
    'enable-policy': wished.enablePolicy,
    'enable-remote-node-identity': wished.enableRemoteNodeIdentity ?? true,
    'enable-service-topology': wished.enableServiceTopology ?? false,
    'enable-unreachable-routes': wished.enableUnreachableRoutes ?? false,
    // One process with the agent, not one of its own on each machine.
    'external-envoy-proxy': false,
    'identity-allocation-mode': wished.identityAllocationMode ?? 'crd',
    'identity-change-grace-period': wished.identityChangeGracePeriod ?? '5s',
    'install-iptables-rules': !(wished.IPTablesRulesNoinstall ?? false),
    'kube-proxy-replacement': wished.enableNodePort ?? false,
    labels: wished.labels?.join(' '),
    metrics: wished.metrics?.join(' '),
    'monitor-aggregation': wished.monitorAggregation ?? 'medium',
    'nodes-gc-interval': '5m0s',
    'preallocate-bpf-maps': wished.preallocateBPFMaps ?? false,
    'remove-cilium-node-taints': true,
    'set-cilium-is-up-condition': true,
    'set-cilium-node-taints': true,
    'tofqdns-dns-reject-response-code': wished.toFqdnsDnsRejectResponseCode ?? 'refused',
    'tofqdns-enable-poller': wished.toFqdnsEnablePoller ?? false,
    'write-cni-conf-when-ready': '/host/etc/cni/net.d/05-cilium.conflist',
    ...routing(wished),
    ...encryption(wished),
    ...metrics(wished),
    ...(usesHubble(wished) ? hubble(wished) : {}),
    // A person's word is the last.
    ...wished.extraConfig,
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** How pods of different machines reach each other: by a tunnel unless their addresses are the VPC's. */
function routing(wished: CiliumNetworking): Values {
  const { ipam = 'kubernetes' } = wished;
  const tunnel = wished.tunnel ?? (ipam === 'eni' ? 'disabled' : 'vxlan');
  return {
    'auto-direct-node-routes': wished.autoDirectNodeRoutes ?? false,
    ipam,
    'routing-mode': tunnel === 'disabled' ? 'native' : 'tunnel',
    'tunnel-protocol': tunnel === 'disabled' ? undefined : tunnel,
    ...(ipam === 'eni' ? { 'auto-create-cilium-node-resource': true, 'enable-endpoint-routes': true } : {}),
  };
}

function encryption(wished: CiliumNetworking): Values {
  if (wished.enableEncryption !== true) return {};
  return { 'enable-wireguard': true, 'encrypt-node': wished.nodeEncryption ?? false };
}

function metrics(wished: CiliumNetworking): Values {
  if (wished.enablePrometheusMetrics !== true) return {};
  return {
    'enable-metrics': true,
    'operator-prometheus-serve-addr': ':6942',
    'prometheus-serve-addr': `:${wished.agentPrometheusPort ?? 9090}`,
  };
}

function hubble({ hubble: wished }: CiliumNetworking): Values {
  const list = wished?.metrics ?? [];
  const files = '/var/lib/cilium/tls/hubble';
  return {
    'enable-hubble': true,
    'hubble-disable-tls': false,
    'hubble-listen-address': ':4244',
    'hubble-metrics': list.length === 0 ? undefined : list.join(' '),
    'hubble-metrics-server': list.length === 0 ? undefined : ':9091',
    'hubble-socket-path': '/var/run/cilium/hubble.sock',
    'hubble-tls-cert-file': `${files}/tls.crt`,
    'hubble-tls-client-ca-files': `${files}/ca.crt`,
    'hubble-tls-key-file': `${files}/tls.key`,
  };
}
