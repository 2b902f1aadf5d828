import type { CalicoNetworking, CiliumNetworking, ClusterSpec } from '../cluster.ts';
import { isIpv6Alone } from '../names.ts';
import type { Inferred } from './infer.ts';
import type { ClusterRule, Known } from './rule.ts';

/** Source: kops pkg/model/components/cilium.go. */
const CILIUM = {
  agentPrometheusPort: 9090,
  autoDirectNodeRoutes: false,
  bpfCTGlobalAnyMax: 262144,
  bpfCTGlobalTCPMax: 524288,
  bpfLBAlgorithm: 'random',
  bpfLBMaglevTableSize: '16381',
  bpfLBMapMax: 65536,
  bpfLBSockHostNSOnly: false,
  bpfNATGlobalMax: 524288,
  bpfNeighGlobalMax: 524288,
  bpfPolicyMapMax: 16384,
  clusterName: 'default',
  cniExclusive: true,
  cpuRequest: '25m',
  debug: false,
  disableEndpointCRD: false,
  enableEndpointHealthChecking: true,
  enableL7Proxy: true,
  enableNodePort: false,
  enableRemoteNodeIdentity: true,
  enableServiceTopology: false,
  enableUnreachableRoutes: false,
  IPTablesRulesNoinstall: false,
  identityAllocationMode: 'crd',
  identityChangeGracePeriod: '5s',
  ipam: 'kubernetes',
  memoryRequest: '128Mi',
  monitorAggregation: 'medium',
  nodeEncryption: false,
  preallocateBPFMaps: false,
  registry: 'quay.io',
  toFqdnsDnsRejectResponseCode: 'refused',
  toFqdnsEnablePoller: false,
} as const satisfies CiliumNetworking;

const CALICO = {
  bpfEnabled: false,
  bpfExternalServiceMode: 'Tunnel',
  bpfKubeProxyIptablesCleanupEnabled: false,
  bpfLogLevel: 'Off',
  chainInsertMode: 'insert',
  cpuRequest: '100m',
  iptablesBackend: 'Auto',
  logSeverityScreen: 'info',
  // The MTU of the machine's interface less the overhead of the tunnel.
  mtu: 0,
  prometheusGoMetricsEnabled: false,
  prometheusMetricsEnabled: false,
  prometheusMetricsPort: 9091,
  prometheusProcessMetricsEnabled: false,
  registry: 'docker.io',
  typhaPrometheusMetricsEnabled: false,
  typhaPrometheusMetricsPort: 9093,
  typhaReplicas: 0,
  wireguardEnabled: false,
} as const satisfies CalicoNetworking;

/** Defaults of the pod network that the spec chooses. */
export const podNetworkRules: readonly ClusterRule[] = [
  {
    name: 'kops default of Cilium',
    infer: ({ spec, defaults }) =>
      spec.networking?.cilium === undefined
        ? {}
        : {
            networking: {
              cilium: { ...ciliumOf(spec, spec.networking.cilium), version: defaults?.ciliumVersion },
            },
          },
  },
  {
    name: 'kops default of Calico',
    infer: (known) =>
      known.spec.networking?.calico === undefined
        ? {}
        : { networking: { calico: calicoOf(known, known.spec.networking.calico) } },
  },
  {
    // kops uses udp if a spec in v1alpha2 names no backend (SetDefaults_ClusterSpec).
    name: 'kops default of flannel',
    infer: ({ spec }) =>
      spec.networking?.flannel === undefined
        ? {}
        : { networking: { flannel: { backend: 'udp', iptablesResyncSeconds: 5 } } },
  },
  {
    name: 'kops default of kindnet',
    infer: ({ spec }) => (spec.networking?.kindnet === undefined ? {} : { networking: { kindnet: kindnetOf(spec) } }),
  },
];

function ciliumOf(spec: ClusterSpec, cilium: CiliumNetworking): Inferred<CiliumNetworking> {
  const inVpc = cilium.ipam === 'eni';
  // A part that somebody describes is meant to be there.
  const present = (part: object | undefined) => part && { enabled: true };
  return {
    ...CILIUM,
    disableMasquerade: isIpv6Alone(spec),
    // Without the part of Cilium that does the work of kube-proxy its agent would not start.
    enableBPFMasquerade: inVpc && cilium.enableNodePort === true,
    ...(cilium.enableEncryption === true && { encryptionType: 'ipsec' }),
    gatewayAPI: present(cilium.gatewayAPI),
    hubble: present(cilium.hubble),
    ingress: present(cilium.ingress),
    // Addresses of the VPC, or of machines that have a range of them each, are routed by the VPC.
    tunnel: inVpc || isIpv6Alone(spec) ? 'disabled' : 'vxlan',
  };
}

function calicoOf({ spec, traits, defaults }: Known, calico: CalicoNetworking): Inferred<CalicoNetworking> {
  const ipv6 = isIpv6Alone(spec);
  const encapsulationMode = calico.encapsulationMode ?? (ipv6 ? 'none' : 'ipip');
  // Without a tunnel, packets have source addresses other than the machine's, and some clouds drop them.
  const isChecked =
    traits.checksSource === 'always' ||
    (traits.checksSource === 'unless-disabled' && (ipv6 || calico.awsSrcDstCheck !== 'Disable'));
  const between = isChecked || calico.crossSubnet === false ? 'Always' : 'CrossSubnet';
  return {
    ...CALICO,
    encapsulationMode,
    ipipMode: encapsulationMode === 'ipip' ? between : undefined,
    ipv4AutoDetectionMethod: ipv6 ? 'none' : 'first-found',
    ipv6AutoDetectionMethod: ipv6 ? 'first-found' : 'none',
    version: defaults?.calicoVersion,
    vxlanMode: encapsulationMode === 'vxlan' ? between : undefined,
  };
}

function kindnetOf(spec: ClusterSpec): Inferred<NonNullable<NonNullable<ClusterSpec['networking']>['kindnet']>> {
  const inside = [spec.networkCIDR, spec.podCIDR, spec.serviceClusterIPRange].filter((range) => range !== undefined);
  // Everybody can route to the IPv6 addresses of pods (kops pkg/model/components/kindnet.go).
  const enabled = !isIpv6Alone(spec);
  return {
    dnsCaching: true,
    fastPathThreshold: 0,
    logLevel: 2,
    masquerade: {
      enabled,
      // A spec that configures masquerading must list these ranges itself.
      nonMasqueradeCIDRs: enabled && spec.networking?.kindnet?.masquerade === undefined ? inside : undefined,
    },
    nat64: false,
    version: 'v1.0.1',
  };
}
