import type { ClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';

/** Every choice of network that this suite makes, and the choices within it that make other objects. */
export const NETWORKS: Readonly<Record<string, NetworkingSpec>> = {
  amazonvpc: { amazonvpc: { env: [{ name: 'WARM_ENI_TARGET', value: '2' }] } },
  calico: { calico: {} },
  'calico with everything': {
    calico: {
      bpfEnabled: true,
      encapsulationMode: 'vxlan',
      mtu: 1400,
      prometheusMetricsEnabled: true,
      typhaPrometheusMetricsEnabled: true,
      typhaReplicas: 2,
      wireguardEnabled: true,
    },
  },
  cilium: { cilium: {} },
  'cilium in the VPC': { cilium: { ipam: 'eni', enableNodePort: true } },
  'cilium with everything': {
    cilium: {
      enableEncryption: true,
      enablePrometheusMetrics: true,
      encryptionType: 'wireguard',
      enableNodePort: true,
      gatewayAPI: { enabled: true },
      ingress: { defaultLoadBalancerMode: 'shared', enabled: true },
      hubble: { enabled: true, metrics: ['drop'] },
    },
  },
  'cilium with etcd': { cilium: { etcdManaged: true, identityAllocationMode: 'kvstore' } },
  'cilium with keys': { cilium: { enableEncryption: true } },
  cni: { cni: {} },
  'flannel by udp': { flannel: { backend: 'udp' } },
  'flannel by vxlan': { flannel: { backend: 'vxlan' } },
  kindnet: { kindnet: { adminNetworkPolicies: true, baselineAdminNetworkPolicies: true } },
  kubenet: { kubenet: {} },
  kuberouter: { kuberouter: { useNFTablesForNetpol: true } },
};

/** From the oldest that clusters may run to the newest that kops does. */
export const KUBERNETES_VERSIONS = ['1.20.15', '1.21.14', '1.22.17', '1.24.17', '1.27.16', '1.28.15', '1.31.4', '1.35.0', '1.36.3'];

/** Every optional addon. */
export const EVERY_ADDON: ClusterSpec = {
  authentication: { aws: { backendMode: 'CRD', identityMappings: [{ arn: 'arn:aws:iam::1:role/dev', username: 'dev' }] } },
  awsLoadBalancerController: { enabled: true },
  certManager: { enabled: true, defaultIssuer: 'letsencrypt', featureGates: { AdditionalCertificateOutputFormats: true } },
  cloudConfig: { awsEBSCSIDriver: { enabled: true } },
  containerd: { nvidiaGPU: { enabled: true, dcgmExporter: { enabled: true } } },
  clusterAutoscaler: { enabled: true, expander: 'priority', podAnnotations: { team: 'a' } },
  dnsZone: 'example.com',
  kubeDNS: { nodeLocalDNS: { enabled: true } },
  externalDns: { provider: 'external-dns', watchIngress: true },
  metricsServer: { enabled: true, insecure: false },
  nodeProblemDetector: { enabled: true },
  nodeTerminationHandler: { enabled: true },
  podIdentityWebhook: { enabled: true },
  snapshotController: { enabled: true, installDefaultClass: true },
};

/** The same with a role for each component. */
export const OWN_ROLES: ClusterSpec = {
  ...EVERY_ADDON,
  kubeDNS: { provider: 'KubeDNS' },
  iam: {
    useServiceAccountExternalPermissions: true,
    serviceAccountExternalPermissions: [{ name: 'app', namespace: 'shop', aws: { policyARNs: ['arn:aws:iam::1:policy/p'] } }],
  },
  karpenter: { enabled: true },
  metricsServer: { enabled: true },
  nodeTerminationHandler: { enabled: true, enableSQSTerminationDraining: false },
};

/** Every optional addon on GCE. */
export const EVERY_ADDON_ON_GCE: ClusterSpec = {
  cloudProvider: 'gce',
  certManager: { enabled: true },
  cloudConfig: { gcpPDCSIDriver: { enabled: true } },
  clusterAutoscaler: { enabled: true, expander: 'priority' },
  dnsZone: 'example.com',
  externalDns: { provider: 'external-dns', watchIngress: true },
  kubeDNS: { nodeLocalDNS: { enabled: true } },
  metricsServer: { enabled: true, insecure: false },
  networking: { cilium: {} },
  nodeProblemDetector: { enabled: true },
  project: 'acme',
  snapshotController: { enabled: true, installDefaultClass: true },
};

/** Every optional addon on local machines. */
export const EVERY_ADDON_ON_LOCAL: ClusterSpec = {
  metricsServer: { enabled: true },
  networking: { flannel: {} },
  snapshotController: { enabled: true },
};
