import type { ClusterSpec, KubeletConfig } from '../cluster.ts';
import { isOn } from '../feature-gate.ts';
import type { Inferred } from './infer.ts';
import { mirroredImage } from '../mirrored-image.ts';
import { usesKubenet } from '../names.ts';
import { CA_FILE, KUBELET_KUBECONFIG, MANIFESTS_DIR, VOLUME_PLUGIN_DIR } from '../node-paths.ts';
import type { ClusterRule, Known } from './rule.ts';
import { PAUSE_IMAGE } from '../kubernetes-images.ts';
import { knowsSetting, type KubernetesFacts } from '../kubernetes-versions.ts';

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
    infer: ({ spec, traits, defaults }) => {
      if (spec.containerRuntime !== 'containerd') return {};
      const published = traits.bringsImages ? undefined : defaults;
      return {
        containerd: {
          logLevel: 'info',
          sandboxImage: published && mirroredImage(PAUSE_IMAGE, spec.assets),
          version: published?.containerdVersion,
          runc: published && { version: published.runcVersion },
        },
      };
    },
  },
  {
    // kops 1.20: nodeup/pkg/model/docker.go, upup/pkg/fi/cloudup/docker.go; kubelet and kube-proxy own the node's iptables.
    name: 'kops default of Docker',
    infer: ({ spec }) =>
      spec.containerRuntime === 'docker'
        ? {
            docker: {
              ipMasq: false,
              ipTables: false,
              logDriver: 'json-file',
              logLevel: 'info',
              logOpt: ['max-size=10m', 'max-file=5'],
              storage: 'overlay2',
            },
          }
        : {},
  },
  {
    name: 'kops default of kubelet',
    infer: ({ spec, traits, defaults }) => {
      if (defaults === undefined || spec.containerRuntime === undefined) return {};
      const config = kubeletOf(spec, traits, defaults);
      // Settings for workers do not apply to control planes, whose Nodes only get the taints in them as well (kops
      // upup/pkg/fi/cloudup/populate_instancegroup_spec.go).
      const isolated = spec.isolateMasters === true ? ISOLATED : {};
      const ofControlPlane = { ...controlPlane(defaults, spec.masterKubelet), ...config, ...isolated };
      return {
        kubelet: withoutHalfAPair(config, spec.kubelet),
        masterKubelet: withoutHalfAPair(ofControlPlane, spec.masterKubelet),
      };
    },
  },
];

/**
 * When a control plane starts, its components wait for each other, so a failed container is restarted sooner (kops
 * nodeup/pkg/model/kubelet.go).
 */
function controlPlane(
  { gatesOn }: KubernetesFacts,
  { featureGates = {} }: KubeletConfig = {},
): Inferred<KubeletConfig> {
  const gate = 'KubeletCrashLoopBackOffMax';
  const isPossible = gatesOn.includes(gate) && isOn(featureGates[gate] ?? 'true');
  return isPossible ? { crashLoopBackOffMaxContainerRestartPeriod: '1m0s' } : {};
}

/**
 * kubelet does not start where its critical pods have more time to end than all of its pods. A person who sets the time for all
 * decides both times, as in kops (pkg/model/components/kubelet.go).
 */
function withoutHalfAPair(config: Inferred<KubeletConfig>, wished: KubeletConfig | undefined): Inferred<KubeletConfig> {
  if (wished?.shutdownGracePeriod === undefined) return config;
  return { ...config, shutdownGracePeriodCriticalPods: undefined };
}

/** What isolateMasters still means (kops pkg/model/components/kubelet.go): no exec, no logs, and no hairpin traffic. */
const ISOLATED: Inferred<KubeletConfig> = { enableDebuggingHandlers: false, hairpinMode: 'none' };

function kubeletOf(
  spec: ClusterSpec,
  { bringsImages, hasCloudProvider }: Known['traits'],
  defaults: KubernetesFacts,
): Inferred<KubeletConfig> {
  const docker = spec.containerRuntime === 'docker';
  return {
    anonymousAuth: false,
    // Only the API server may call kubelet.
    authenticationTokenWebhook: true,
    authorizationMode: 'Webhook',
    cgroupDriver: 'systemd',
    cgroupRoot: '/',
    cloudProvider: hasCloudProvider ? (defaults.externalCloudProvider ? 'external' : spec.cloudProvider) : undefined,
    // Pods use the DNS cache of their node if there is one.
    clusterDNS:
      spec.kubeDNS?.nodeLocalDNS?.enabled === true ? spec.kubeDNS.nodeLocalDNS.localIP : spec.kubeDNS?.serverIP,
    clientCaFile: CA_FILE,
    clusterDomain: spec.clusterDNSDomain,
    enableDebuggingHandlers: true,
    evictionHard: EVICTION_HARD,
    kubeconfigPath: KUBELET_KUBECONFIG,
    logLevel: 2,
    networkPluginName: docker && defaults.dockershim ? (usesKubenet(spec) ? 'kubenet' : 'cni') : undefined,
    nonMasqueradeCIDR: docker && defaults.dockershim ? spec.nonMasqueradeCIDR : undefined,
    // Not set if kubelet has no such flag, or if the assets determine the image.
    podInfraContainerImage:
      bringsImages || !knowsSetting(defaults, 'kubelet', 'podInfraContainerImage')
        ? undefined
        : (spec.containerd?.sandboxImage ?? mirroredImage(PAUSE_IMAGE, spec.assets)),
    podManifestPath: MANIFESTS_DIR,
    protectKernelDefaults: defaults.protectKernelDefaults ? true : undefined,
    // The port requires no credentials.
    readOnlyPort: 0,
    registerSchedulable:
      hasCloudProvider && knowsSetting(defaults, 'kubelet', 'registerSchedulable') ? true : undefined,
    runtimeRequestTimeout: docker ? undefined : '15m0s',
    // How long a machine that is shutting down waits for its pods.
    ...(defaults.gracefulShutdown && { shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '10s' }),
    volumePluginDirectory: VOLUME_PLUGIN_DIR,
  };
}
