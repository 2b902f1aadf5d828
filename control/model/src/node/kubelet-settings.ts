import type { GroupMarks } from '@kopsctl/node-plan/node-marks.ts';
import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import { groupMarks, wishedKubelet } from '../node-marks.ts';
import { settingsOf, type Setting, type Settings } from '../flags.ts';
import { cgroupDriver } from './cgroup-driver.ts';
import { CNI_BIN_DIR, CNI_CONF_DIR, usesKubenet } from './cni.ts';
import { pauseImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import {
  CA_FILE,
  KUBELET_BOOTSTRAP_KUBECONFIG,
  KUBELET_KUBECONFIG,
  MANIFESTS_DIR,
  VOLUME_PLUGIN_DIR,
} from './paths.ts';
import { CONTAINERD_SOCKET } from './runtime-containerd.ts';

/** Settings that exist in kubelet's configuration file only, under the same name. */
const FILE_ONLY: readonly string[] = [
  'imageMaximumGCAge',
  'maxParallelImagePulls',
  'nodeLeaseDurationSeconds',
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
] satisfies readonly (keyof KubeletConfig)[];

/** Settings that neither form of kubelet's configuration knows under any name of kops's. */
const NOT_KUBELET = [
  'crashLoopBackOffMaxContainerRestartPeriod',
  'eventRecordQPS',
  'memorySwapBehavior',
  'nodeLabels',
  'taints',
];

export interface KubeletSettings {
  readonly flags: Settings;
  /** KubeletConfiguration, for what has no flag; undefined where that is nothing. */
  readonly file: Settings | undefined;
}

/** Everything kubelet is told: the spec's wishes for cluster, role and group, then what follows from the node itself. */
export function kubeletSettings(node: NodeContext): KubeletSettings {
  const config = wishedKubelet(node, node.instanceGroup);
  const marks = groupMarks(node, node.instanceGroup);
  const file: Record<string, Setting> = {};
  const flags: Record<string, Setting> = {};
  for (const [field, value] of Object.entries(settingsOf(config))) {
    if (FILE_ONLY.includes(field)) file[field] = value;
    else if (!NOT_KUBELET.includes(field)) flags[field] = value;
  }
  return {
    flags: {
      ...DEFAULTS,
      ...flags,
      ...identity(node),
      ...(node.runtime === 'docker' ? docker(node) : containerd(node)),
      ...(node.cloud === 'local' ? local(flags) : {}),
      nodeLabels: labels(marks),
      registerWithTaints: marks.taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`),
    },
    file: Object.keys(file).length === 0 ? undefined : file,
  };
}

/** kops 1.20 pkg/model/components/kubelet.go, and what it sets once RBAC is on: the API server alone may call kubelet. */
const DEFAULTS: Settings = {
  anonymousAuth: false,
  authenticationTokenWebhook: true,
  authorizationMode: 'Webhook',
  cgroupRoot: '/',
  enableDebuggingHandlers: true,
  logLevel: 2,
  podManifestPath: MANIFESTS_DIR,
  volumePluginDirectory: VOLUME_PLUGIN_DIR,
};

function identity(node: NodeContext): Settings {
  return {
    cgroupDriver: cgroupDriver(node),
    clientCaFile: CA_FILE,
    clusterDomain: node.clusterDomain,
    hostnameOverride: '@{nodeName}',
    kubeconfigPath: KUBELET_KUBECONFIG,
    nodeIp: '@{address}',
    podInfraContainerImage: pauseImage(node).reference,
    // A worker asks the cluster for its certificate and for each next one; the control plane's is issued on the node.
    ...(node.isControlPlane ? {} : { bootstrapKubeconfig: KUBELET_BOOTSTRAP_KUBECONFIG, rotateCertificates: true }),
  };
}

function containerd(node: NodeContext): Settings {
  return {
    ...(node.kubernetes.containerRuntimeFlag ? { containerRuntime: 'remote' } : {}),
    containerRuntimeEndpoint: CONTAINERD_SOCKET,
    runtimeRequestTimeout: '15m0s',
    // containerd has the network to itself; these speak to dockershim.
    networkPluginName: undefined,
    networkPluginMTU: undefined,
    nonMasqueradeCIDR: undefined,
  };
}

function docker(node: NodeContext): Settings {
  return {
    cniBinDir: CNI_BIN_DIR,
    cniConfDir: CNI_CONF_DIR,
    networkPluginName: usesKubenet(node) ? 'kubenet' : 'cni',
    nonMasqueradeCIDR: node.spec.nonMasqueradeCIDR ?? '100.64.0.0/10',
  };
}

/** What completion fills in for every cloud (kops pkg/model/components/kubelet.go). */
const KOPS_EVICTION =
  'memory.available<100Mi,nodefs.available<10%,nodefs.inodesFree<5%,imagefs.available<10%,imagefs.inodesFree<5%';
const LOCAL_EVICTION =
  'memory.available<1%,nodefs.available<1%,nodefs.inodesFree<1%,imagefs.available<1%,imagefs.inodesFree<1%';

/**
 * Local machines share one host: its whole memory and disk look like each node's own, so only their last percent is a
 * reason to evict. Status is reported every second, since a node is Ready no sooner than its next report.
 */
function local(wished: Settings): Settings {
  const eviction = wished['evictionHard'];
  return {
    cloudProvider: undefined,
    evictionHard: eviction === undefined || eviction === KOPS_EVICTION ? LOCAL_EVICTION : eviction,
    failSwapOn: wished['failSwapOn'] ?? false,
    nodeStatusUpdateFrequency: wished['nodeStatusUpdateFrequency'] ?? '1s',
    // Static pods that started before their API server show up in it at the next sync only; every minute otherwise.
    syncFrequency: '5s',
  };
}

/** Prefixes and names of Kubernetes's own label space that a kubelet may give itself (NodeRestriction). */
const OWN_LABELS =
  /^(node|kubelet)\.kubernetes\.io\/|^(kubernetes\.io\/(hostname|arch|os)|(failure-domain\.beta|topology)\.kubernetes\.io\/(zone|region)|(beta\.|node\.)?kubernetes\.io\/(arch|os|instance-type))$/;
const RESERVED_LABELS = /(^|\.)(kubernetes|k8s)\.io\//;

/** kubelet refuses to start when told a reserved label (1.16 and later): protokube's leader sets those. */
function labels(marks: GroupMarks): Setting {
  return Object.fromEntries(
    Object.entries(marks.labels).filter(([key]) => OWN_LABELS.test(key) || !RESERVED_LABELS.test(key)),
  );
}
