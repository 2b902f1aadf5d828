import type { KubeAPIServerConfig, KubeletConfig, KubeSchedulerConfig } from './cluster.ts';

/** Settings that kops still accepts, but no Kubernetes since 1.20. A component does not start with one of their flags. */
export const RETIRED_SETTINGS = {
  kubeAPIServer: [
    'address',
    'auditDynamicConfiguration',
    'authorizationRbacSuperUser',
    'basicAuthFile',
    'disableBasicAuth',
    'etcdQuorumRead',
    'experimentalEncryptionProviderConfig',
    'insecureBindAddress',
  ] satisfies readonly (keyof KubeAPIServerConfig)[],
  kubeScheduler: ['usePolicyConfigMap'] satisfies readonly (keyof KubeSchedulerConfig)[],
  kubelet: [
    'allowPrivileged',
    'apiServers',
    'babysitDaemons',
    'configureCbr0',
    'dockerDisableSharedPID',
    'enableCadvisorJsonEndpoints',
    'enableCustomMetrics',
    'nvidiaGPUs',
    'reconcileCIDR',
    'requireKubeconfig',
  ] satisfies readonly (keyof KubeletConfig)[],
} as const;
