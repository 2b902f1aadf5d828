import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { cloudLabels } from '../cloud-labels.ts';
import { etcdSettings, usesEtcd } from './cilium-etcd.ts';
import { gatewaySettings, usesGateway } from './cilium-gateway.ts';
import { ingressSettings, usesIngress } from './cilium-ingress.ts';
import { ENVOY_SECRETS } from './cilium-secrets.ts';
import { usesHubble } from './hubble.ts';
import { IPSEC_DIR } from './ipsec.ts';

export const CILIUM_CONFIG = 'cilium-config';
export const OPERATOR_HEALTH_PORT = 9234;

/** Envoy serves what Ingresses and Gateways describe. */
const ENVOY = { 'enable-envoy-config': true, 'envoy-secrets-namespace': ENVOY_SECRETS };

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Cilium's settings for the fields of the spec. Agents ignore settings that their release does not know, so one list serves all
 * of them.
 */
export function ciliumSettings(facts: ClusterFacts, wished: CiliumNetworking): Readonly<Record<string, string>> {
  const ipv6 = facts.spec.nonMasqueradeCIDR === '::/0';
  const settings: Values = {
    'agent-health-port': 9879,
    'bpf-ct-global-any-max': wished.bpfCTGlobalAnyMax,
    'bpf-ct-global-tcp-max': wished.bpfCTGlobalTCPMax,
    'bpf-lb-algorithm': wished.bpfLBAlgorithm,
    'bpf-lb-maglev-table-size': wished.bpfLBMaglevTableSize,
    'bpf-lb-map-max': wished.bpfLBMapMax,
    'bpf-lb-sock': wished.bpfLBSock,
    'bpf-lb-sock-hostns-only': wished.bpfLBSockHostNSOnly,
    'bpf-nat-global-max': wished.bpfNATGlobalMax,
    'bpf-neigh-global-max': wished.bpfNeighGlobalMax,
    'bpf-policy-map-max': wished.bpfPolicyMapMax,
    'cgroup-root': '/run/cilium/cgroupv2',
    'cluster-id': wished.clusterID,
    'cluster-name': wished.clusterName,
    'cni-chaining-mode': wished.chainingMode,
    'cni-exclusive': wished.cniExclusive,
    'cni-log-file': '/var/run/cilium/cilium-cni.log',
    debug: wished.debug,
    'debug-verbose': wished.debugVerbose?.join(' '),
    'disable-endpoint-crd': wished.disableEndpointCRD,
    'enable-bpf-masquerade': wished.enableBPFMasquerade === true && !ipv6,
    'enable-endpoint-health-checking': wished.enableEndpointHealthChecking,
    'enable-host-firewall': wished.enableHostFirewall,
    // With BPF masquerading and without kube-proxy, packets of pods would leave by BPF alone, past the machine's rules that keep
    // pods from the metadata service (docs.cilium.io, "eBPF Host-Routing").
    'enable-host-legacy-routing': true,
    'enable-ipv4': !ipv6,
    'enable-ipv4-masquerade': wished.disableMasquerade !== true,
    'enable-ipv6': ipv6,
    'enable-ipv6-masquerade': false,
    'enable-l7-proxy': wished.enableL7Proxy,
    'enable-local-redirect-policy': wished.enableLocalRedirectPolicy,
    'enable-node-port': wished.enableNodePort,
    'enable-policy': wished.enablePolicy,
    'enable-remote-node-identity': wished.enableRemoteNodeIdentity,
    'enable-service-topology': wished.enableServiceTopology,
    'enable-unreachable-routes': wished.enableUnreachableRoutes,
    // Envoy runs inside the agent, not in a DaemonSet of its own.
    'external-envoy-proxy': false,
    'identity-allocation-mode': wished.identityAllocationMode,
    'identity-change-grace-period': wished.identityChangeGracePeriod,
    'install-iptables-rules': wished.IPTablesRulesNoinstall !== true,
    'kube-proxy-replacement': wished.enableNodePort,
    labels: wished.labels?.join(' '),
    metrics: wished.metrics?.join(' '),
    'monitor-aggregation': wished.monitorAggregation,
    'nodes-gc-interval': '5m0s',
    // By default it listens at the first address of localhost, and its probe asks at ::1 then.
    'operator-api-serve-addr': ipv6 ? `[::1]:${OPERATOR_HEALTH_PORT}` : undefined,
    'preallocate-bpf-maps': wished.preallocateBPFMaps,
    'remove-cilium-node-taints': true,
    'set-cilium-is-up-condition': true,
    'set-cilium-node-taints': true,
    'tofqdns-dns-reject-response-code': wished.toFqdnsDnsRejectResponseCode,
    'tofqdns-enable-poller': wished.toFqdnsEnablePoller,
    'write-cni-conf-when-ready': '/host/etc/cni/net.d/05-cilium.conflist',
    ...routing(facts, wished),
    ...encryption(wished),
    ...metrics(wished),
    ...(usesHubble(wished) ? hubble(wished) : {}),
    ...(usesEtcd(wished) ? etcdSettings(facts) : {}),
    ...(usesIngress(wished) || usesGateway(wished) ? ENVOY : {}),
    ...(usesIngress(wished) ? ingressSettings(wished) : {}),
    ...(usesGateway(wished) ? gatewaySettings(wished) : {}),
    // The user's own settings win.
    ...wished.extraConfig,
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** How pods of different machines reach each other: by a tunnel unless their addresses are the VPC's. */
function routing(facts: ClusterFacts, { ipam, tunnel, autoDirectNodeRoutes, chainingMode }: CiliumNetworking): Values {
  return {
    'auto-direct-node-routes': autoDirectNodeRoutes,
    ipam,
    'routing-mode': tunnel === 'disabled' ? 'native' : 'tunnel',
    'tunnel-protocol': tunnel === 'disabled' ? undefined : tunnel,
    // The routes are those of the plugin that Cilium is chained to (kops addon networking.cilium.io).
    ...(chainingMode === undefined || chainingMode === 'none' || chainingMode === 'portmap'
      ? {}
      : { 'enable-local-node-route': false }),
    ...(ipam === 'eni' ? inVpc(facts) : {}),
  };
}

/** Interfaces are found by their tags when the cluster is deleted. */
const inVpc = (facts: ClusterFacts): Values => ({
  'auto-create-cilium-node-resource': true,
  'enable-endpoint-routes': true,
  'eni-tags': `${cloudLabels(facts)},kubernetes.io/cluster/${facts.clusterName}=owned`,
});

function encryption(wished: CiliumNetworking): Values {
  if (wished.enableEncryption !== true) return {};
  if (wished.encryptionType === 'ipsec') return { 'enable-ipsec': true, 'ipsec-key-file': `${IPSEC_DIR}/keys` };
  return { 'enable-wireguard': true, 'encrypt-node': wished.nodeEncryption };
}

function metrics(wished: CiliumNetworking): Values {
  if (wished.enablePrometheusMetrics !== true) return {};
  return {
    'enable-metrics': true,
    'operator-prometheus-serve-addr': ':9963',
    'prometheus-serve-addr': `:${wished.agentPrometheusPort}`,
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
    'hubble-metrics-server': list.length === 0 ? undefined : ':9965',
    'hubble-socket-path': '/var/run/cilium/hubble.sock',
    'hubble-tls-cert-file': `${files}/tls.crt`,
    'hubble-tls-client-ca-files': `${files}/ca.crt`,
    'hubble-tls-key-file': `${files}/tls.key`,
  };
}
