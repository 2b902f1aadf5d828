import { object, type ValueOf } from './field.ts';

export const calico = object({
  allowIPForwarding: 'bool',
  awsSrcDstCheck: 'string',
  bpfEnabled: 'bool',
  bpfExternalServiceMode: 'string',
  bpfKubeProxyIptablesCleanupEnabled: 'bool',
  bpfLogLevel: 'string',
  chainInsertMode: 'string',
  cpuRequest: 'quantity',
  crossSubnet: 'bool',
  encapsulationMode: 'string',
  ipipMode: 'string',
  iptablesBackend: 'string',
  ipv4AutoDetectionMethod: 'string',
  ipv6AutoDetectionMethod: 'string',
  logSeverityScreen: 'string',
  majorVersion: 'string',
  mtu: 'int32',
  nftablesMode: 'string',
  prometheusGoMetricsEnabled: 'bool',
  prometheusMetricsEnabled: 'bool',
  prometheusMetricsPort: 'int32',
  prometheusProcessMetricsEnabled: 'bool',
  registry: 'string',
  typhaPrometheusMetricsEnabled: 'bool',
  typhaPrometheusMetricsPort: 'int32',
  typhaReplicas: 'int32',
  version: 'string',
  vxlanMode: 'string',
  wireguardEnabled: 'bool',
});

/** Calico as the pod network. */
export interface CalicoNetworking extends ValueOf<typeof calico> {}

/** Canal (flannel with Calico policies) as the pod network. */
export const canal = object({
  chainInsertMode: 'string',
  cpuRequest: 'quantity',
  defaultEndpointToHostAction: 'string',
  disableFlannelForwardRules: 'bool',
  disableTxChecksumOffloading: 'bool',
  iptablesBackend: 'string',
  logSeveritySys: 'string',
  mtu: 'int32',
  prometheusGoMetricsEnabled: 'bool',
  prometheusMetricsEnabled: 'bool',
  prometheusMetricsPort: 'int32',
  prometheusProcessMetricsEnabled: 'bool',
  typhaPrometheusMetricsEnabled: 'bool',
  typhaPrometheusMetricsPort: 'int32',
  typhaReplicas: 'int32',
});
