import { containerdSettings, containerdSocket } from '../runtime/containerd-settings.ts';
import type { GroupMarks, Taint } from '@kopsctl/node-plan/node-marks.ts';
import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import { knowsSetting } from '@kopsctl/spec/kubernetes-versions.ts';
import { RETIRED_SETTINGS } from '@kopsctl/spec/retired-settings.ts';
import { groupMarks, wishedKubelet } from '../store/node-marks.ts';
import type { Setting, Settings } from '../flags.ts';
import { withEtcdReserved } from './etcd-reservation.ts';
import { CNI_BIN_DIR, CNI_CONF_DIR } from './cni.ts';
import { pauseImage } from './images.ts';
import { partKubeletSettings, type KubeletConfiguration } from './kubelet-configuration.ts';
import { usesInterfacesOfVpc } from '@kopsctl/spec/names.ts';
import type { NodeContext } from './node-context.ts';

/** Labels and taints are merged with those of the group. Settings of older kubelets have no flag any more. */
const MERGED_OR_RETIRED: readonly string[] = ['nodeLabels', 'taints', ...RETIRED_SETTINGS.kubelet];

/**
 * A static pod shows in the API at the first sync after its node is registered. By default that is up to a minute later,
 * for which a new control plane would wait.
 */
const SYNC_FREQUENCY = '1s';

/** The fact stands for a number. */
export const POD_LIMIT = '@{podLimit}';

export interface KubeletSettings {
  /** Only what the configuration file has no field for. */
  readonly flags: Settings;
  readonly file: KubeletConfiguration;
}

/** kubelet's settings: those of the spec for the role and the group, then the settings that the node plan decides. */
export function kubeletSettings(node: NodeContext): KubeletSettings {
  const wished = Object.entries(wishedKubelet(node, node.instanceGroup));
  const config: KubeletConfig = Object.fromEntries(wished.filter(([field]) => !MERGED_OR_RETIRED.includes(field)));
  const marks = groupMarks(node, node.instanceGroup);
  const missing = node.kubernetes.missingKubeletFields;
  const { file, flags } = partKubeletSettings({ ...unlessWished(node), ...config }, missing);
  const reserved = withEtcdReserved(Object(file['systemReserved']), node.isControlPlane ? node.etcdClusters : []);
  const taints = registeredTaints([...marks.taints, ...unregistered(node)], missing);
  const runtime = runtimeOf(node, missing);
  return {
    flags: { ...flags, ...IDENTITY, ...runtime.flags, ...taints.flags, nodeLabels: labels(marks) },
    file: {
      ...ofCloud(node, missing),
      ...reports(file),
      ...file,
      ...(Object.keys(reserved).length > 0 && { systemReserved: reserved }),
      ...runtime.file,
      ...taints.file,
    },
  };
}

/** Defaults that differ between nodes (shared/spec/src/complete/left-to-nodes.ts). The spec overrides them. */
function unlessWished(node: NodeContext): KubeletConfig {
  const { bringsImages } = node.cloud.traits;
  return {
    ...(bringsImages &&
      knowsSetting(node.kubernetes, 'kubelet', 'podInfraContainerImage') && {
        podInfraContainerImage: pauseImage(node).reference,
      }),
    resolvConf: '@{resolvConf}',
  };
}

/** What the cloud says about its machines, and fields that kops's API does not have. The spec overrides them. */
function ofCloud({ cloud, isControlPlane, spec }: NodeContext, missing: readonly string[]): KubeletConfiguration {
  const { providerId, kubeletFields = {} } = cloud;
  return {
    ...(isControlPlane && { syncFrequency: SYNC_FREQUENCY }),
    ...(usesInterfacesOfVpc(spec) && { maxPods: POD_LIMIT }),
    // With it the cloud controller manager need not look the machine up by its name.
    ...(providerId !== undefined && { providerID: providerId }),
    ...Object.fromEntries(Object.entries(kubeletFields).filter(([field]) => !missing.includes(field))),
  };
}

/**
 * A kubelet whose file says how often it looks at its status would report it each time, changed or not. By a flag, and by
 * default, it reports a status that has not changed every five minutes.
 */
const reports = ({ nodeStatusUpdateFrequency }: KubeletConfiguration): KubeletConfiguration =>
  nodeStatusUpdateFrequency === undefined ? {} : { nodeStatusReportFrequency: '5m0s' };

const IDENTITY: Settings = { hostnameOverride: '@{nodeName}', nodeIp: '@{address}' };

function runtimeOf(node: NodeContext, missing: readonly string[]): KubeletSettings {
  // dockershim looks for CNI plugins itself.
  if (node.runtime === 'docker') return { flags: { cniBinDir: CNI_BIN_DIR, cniConfDir: CNI_CONF_DIR }, file: {} };
  const socket = containerdSocket(containerdSettings(node.spec, node.instanceGroup));
  const endpoint = { containerRuntimeEndpoint: `unix://${socket}` };
  const flags = node.kubernetes.containerRuntimeFlag ? { containerRuntime: 'remote' } : {};
  return missing.includes('containerRuntimeEndpoint')
    ? { flags: { ...flags, ...endpoint }, file: {} }
    : { flags, file: endpoint };
}

/** Karpenter takes it from the Nodes of its machines as soon as it knows them, so nothing else may maintain it. */
const unregistered = ({ spec, instanceGroup }: NodeContext): readonly Taint[] =>
  spec.karpenter?.enabled === true && instanceGroup.spec.manager === 'Karpenter'
    ? [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }]
    : [];

function registeredTaints(taints: readonly Taint[], missing: readonly string[]): KubeletSettings {
  if (taints.length === 0) return { flags: {}, file: {} };
  if (!missing.includes('registerWithTaints')) return { flags: {}, file: { registerWithTaints: taints } };
  const texts = taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`);
  return { flags: { registerWithTaints: texts }, file: {} };
}

/**
 * Prefixes and names of Kubernetes's own label space that a kubelet may give itself (NodeRestriction), but for its hostname:
 * a policy keeps that to the name of its Node (node-place-policy.ts).
 */
const OWN_LABELS =
  /^(node|kubelet)\.kubernetes\.io\/|^(kubernetes\.io\/(arch|os)|(failure-domain\.beta|topology)\.kubernetes\.io\/(zone|region)|(beta\.|node\.)?kubernetes\.io\/(arch|os|instance-type))$/;
const RESERVED_LABELS = /(^|\.)(kubernetes|k8s)\.io\//;

/** kubelet 1.16 and later refuses to start with a reserved label. protokube's leader sets those. */
function labels(marks: GroupMarks): Setting {
  return Object.fromEntries(
    Object.entries(marks.labels).filter(([key]) => OWN_LABELS.test(key) || !RESERVED_LABELS.test(key)),
  );
}
