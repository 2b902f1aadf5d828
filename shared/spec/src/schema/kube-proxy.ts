import { list, map, object } from './field.ts';

/** Flags and settings of kube-proxy. */
export const kubeProxy = object({
  bindAddress: 'string',
  clusterCIDR: 'string',
  conntrackMaxPerCore: 'int32',
  conntrackMin: 'int32',
  cpuLimit: 'quantity',
  cpuRequest: 'quantity',
  enabled: 'bool',
  featureGates: map('string'),
  hostnameOverride: 'string',
  image: 'string',
  ipvsExcludeCidrs: list('string'),
  ipvsMinSyncPeriod: 'duration',
  ipvsScheduler: 'string',
  ipvsSyncPeriod: 'duration',
  logLevel: 'int32',
  master: 'string',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
  metricsBindAddress: 'string',
  proxyMode: 'string',
});
