import type { ClusterSpec, KubeletConfig } from '../cluster.ts';
import type { Inferred } from './infer.ts';
import type { ClusterRule } from './rule.ts';
import type { KubernetesFacts } from '../kubernetes-versions.ts';

const EVICTION_HARD = [
  'memory.available<100Mi',
  'nodefs.available<10%',
  'nodefs.inodesFree<5%',
  'imagefs.available<10%',
  'imagefs.inodesFree<5%',
].join(',');

export const kubeletRules: readonly ClusterRule[] = [
  {
    name: 'default container runtime',
    infer: () => ({ containerRuntime: 'containerd' }),
  },
  {
    name: 'kops default of the container runtime',
    infer: ({ spec, defaults }) => {
      if (spec.containerRuntime !== 'containerd') return {};
      // Local machines take runtime and images from the assets that were prepared for them.
      const published = spec.cloudProvider === 'local' ? undefined : defaults;
      return {
        containerd: {
          logLevel: 'info',
          sandboxImage: published?.pauseImage,
          version: published?.containerdVersion,
          runc: published?.runcVersion === undefined ? undefined : { version: published.runcVersion },
        },
      };
    },
  },
  {
    name: 'kops default of kubelet',
    infer: ({ spec, defaults }) => {
      if (defaults === undefined || spec.containerRuntime === undefined) return {};
      const config = kubeletOf(spec, defaults);
      // What a person sets for all kubelets holds for the control plane's too.
      return { kubelet: config, masterKubelet: { ...config, ...spec.kubelet } };
    },
  },
];

function kubeletOf(spec: ClusterSpec, defaults: KubernetesFacts): Inferred<KubeletConfig> {
  const local = spec.cloudProvider === 'local';
  const docker = spec.containerRuntime === 'docker';
  return {
    anonymousAuth: false,
    // Local machines are containers, whose cgroup v1 hierarchies only cgroupfs serves.
    cgroupDriver: local ? 'cgroupfs' : 'systemd',
    cgroupRoot: '/',
    cloudProvider: local ? undefined : defaults.externalCloudProvider ? 'external' : spec.cloudProvider,
    // Where machines have caches of names, pods ask those.
    clusterDNS:
      spec.kubeDNS?.nodeLocalDNS?.enabled === true ? spec.kubeDNS.nodeLocalDNS.localIP : spec.kubeDNS?.serverIP,
    clusterDomain: spec.clusterDNSDomain,
    enableDebuggingHandlers: true,
    evictionHard: EVICTION_HARD,
    kubeconfigPath: '/var/lib/kubelet/kubeconfig',
    logLevel: 2,
    networkPluginName:
      docker && defaults.networkPluginFlags ? (spec.networking?.kubenet === undefined ? 'cni' : 'kubenet') : undefined,
    nonMasqueradeCIDR: docker && defaults.networkPluginFlags ? spec.nonMasqueradeCIDR : undefined,
    podManifestPath: '/etc/kubernetes/manifests',
    protectKernelDefaults: defaults.protectKernelDefaults ? true : undefined,
    registerSchedulable: defaults.legacyCloudFlags && !local ? true : undefined,
    shutdownGracePeriod: defaults.gracefulShutdown ? '30s' : undefined,
    shutdownGracePeriodCriticalPods: defaults.gracefulShutdown ? '10s' : undefined,
  };
}
