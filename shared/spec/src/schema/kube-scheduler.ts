import { list, map, object, type ValueOf } from './field.ts';
import { leaderElection } from './leader-election.ts';

export const kubeScheduler = object({
  authenticationKubeconfig: 'string',
  authorizationAlwaysAllowPaths: list('string'),
  authorizationKubeconfig: 'string',
  burst: 'int32',
  cpuLimit: 'quantity',
  cpuRequest: 'quantity',
  enableContentionProfiling: 'bool',
  enableProfiling: 'bool',
  featureGates: map('string'),
  image: 'string',
  kubeAPIBurst: 'int32',
  kubeAPIQPS: 'quantity',
  leaderElection,
  logFormat: 'string',
  logLevel: 'int32',
  master: 'string',
  maxPersistentVolumes: 'int32',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
  qps: 'quantity',
  tlsCertFile: 'string',
  tlsPrivateKeyFile: 'string',
  usePolicyConfigMap: 'bool',
});

/** Flags and settings of kube-scheduler. */
export interface KubeSchedulerConfig extends ValueOf<typeof kubeScheduler> {}
