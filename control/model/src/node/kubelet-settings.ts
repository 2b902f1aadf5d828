import type { GroupMarks } from '@kopsctl/node-plan/node-marks.ts';
import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import { RETIRED_SETTINGS } from '@kopsctl/spec/retired-settings.ts';
import { groupMarks, wishedKubelet } from '../node-marks.ts';
import { settingsOf, type Setting, type Settings } from '../flags.ts';
import { CNI_BIN_DIR, CNI_CONF_DIR } from './cni.ts';
import { pauseImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { KUBELET_BOOTSTRAP_KUBECONFIG } from './paths.ts';
import { CONTAINERD_SOCKET } from './runtime-containerd.ts';

/** Settings that exist in kubelet's configuration file only, under the same name. */
const FILE_ONLY: readonly string[] = [
  'eventRecordQPS',
  'imageMaximumGCAge',
  'maxParallelImagePulls',
  'nodeLeaseDurationSeconds',
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
] satisfies readonly (keyof KubeletConfig)[];

/** Settings that lie deeper in kubelet's configuration file (kops nodeup/pkg/model/kubelet.go). */
const DEEPER_IN_FILE: Readonly<Partial<Record<keyof KubeletConfig, (value: Setting) => Settings>>> = {
  crashLoopBackOffMaxContainerRestartPeriod: (maxContainerRestartPeriod) => ({
    crashLoopBackOff: { maxContainerRestartPeriod },
  }),
  memorySwapBehavior: (swapBehavior) => ({ memorySwap: { swapBehavior } }),
};

/** Labels and taints are merged with those of the group. Settings of older kubelets have no flag any more. */
const NO_FLAGS: readonly string[] = ['nodeLabels', 'taints', ...RETIRED_SETTINGS.kubelet];

export interface KubeletSettings {
  readonly flags: Settings;
  /** KubeletConfiguration, for settings without a flag; undefined where there are none. */
  readonly file: Settings | undefined;
}

/** kubelet's settings: those of the spec for the role and the group, then those that the node plan decides. */
export function kubeletSettings(node: NodeContext): KubeletSettings {
  const config = wishedKubelet(node, node.instanceGroup);
  const marks = groupMarks(node, node.instanceGroup);
  const file: Record<string, Setting> = {};
  const flags: Record<string, Setting> = {};
  for (const [field, value] of Object.entries(settingsOf(config))) {
    const deeper: ((value: Setting) => Settings) | undefined = Reflect.get(DEEPER_IN_FILE, field);
    if (deeper !== undefined) Object.assign(file, deeper(value));
    else if (FILE_ONLY.includes(field)) file[field] = value;
    else if (!NO_FLAGS.includes(field)) flags[field] = value;
  }
  return {
    flags: {
      ...node.cloud.kubeletFlags,
      ...unlessWished(node),
      ...flags,
      ...identity(node),
      ...(node.runtime === 'docker' ? DOCKER : containerd(node)),
      nodeLabels: labels(marks),
      registerWithTaints: marks.taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`),
    },
    file: Object.keys(file).length === 0 ? undefined : file,
  };
}

/** Defaults that differ between nodes (shared/spec/src/complete/left-to-nodes.ts). The spec overrides them. */
function unlessWished(node: NodeContext): Settings {
  return {
    ...(node.cloud.traits.bringsImages && { podInfraContainerImage: pauseImage(node).reference }),
    // A worker asks the cluster for its certificate and for each next one; the control plane's is issued on the node.
    ...(node.isControlPlane ? {} : { rotateCertificates: true }),
  };
}

function identity(node: NodeContext): Settings {
  return {
    hostnameOverride: '@{nodeName}',
    nodeIp: '@{address}',
    ...(node.isControlPlane ? {} : { bootstrapKubeconfig: KUBELET_BOOTSTRAP_KUBECONFIG }),
  };
}

function containerd(node: NodeContext): Settings {
  return {
    ...(node.kubernetes.containerRuntimeFlag ? { containerRuntime: 'remote' } : {}),
    containerRuntimeEndpoint: CONTAINERD_SOCKET,
  };
}

/** dockershim looks for CNI plugins itself. */
const DOCKER: Settings = { cniBinDir: CNI_BIN_DIR, cniConfDir: CNI_CONF_DIR };

/** Prefixes and names of Kubernetes's own label space that a kubelet may give itself (NodeRestriction). */
const OWN_LABELS =
  /^(node|kubelet)\.kubernetes\.io\/|^(kubernetes\.io\/(hostname|arch|os)|(failure-domain\.beta|topology)\.kubernetes\.io\/(zone|region)|(beta\.|node\.)?kubernetes\.io\/(arch|os|instance-type))$/;
const RESERVED_LABELS = /(^|\.)(kubernetes|k8s)\.io\//;

/** kubelet 1.16 and later refuses to start with a reserved label. protokube's leader sets those. */
function labels(marks: GroupMarks): Setting {
  return Object.fromEntries(
    Object.entries(marks.labels).filter(([key]) => OWN_LABELS.test(key) || !RESERVED_LABELS.test(key)),
  );
}
