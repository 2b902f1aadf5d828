import type { ClusterRule, InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { clusterAutoscalerImage } from './cluster-autoscaler-image.ts';

/** Defaults of the flags (kops pkg/model/components/clusterautoscaler.go). */
const DEFAULTS = {
  balanceSimilarNodeGroups: false,
  cordonNodeBeforeTerminating: true,
  cpuRequest: '100m',
  createPriorityExpanderConfig: true,
  emitPerNodegroupMetrics: false,
  expander: 'random',
  ignoreDaemonSetsUtilization: false,
  maxNodeProvisionTime: '15m0s',
  memoryRequest: '300Mi',
  newPodScaleUpDelay: '0s',
  scaleDownDelayAfterAdd: '10m0s',
  scaleDownUnneededTime: '10m0s',
  scaleDownUnreadyTime: '20m0s',
  scaleDownUtilizationThreshold: '0.5',
  skipNodesWithCustomControllerPods: true,
  skipNodesWithLocalStorage: true,
  skipNodesWithSystemPods: true,
} as const;

/** Defaults of the autoscaler itself, where the spec enables it. */
export const autoscalerDefaults: ClusterRule = {
  name: 'kops default of the cluster autoscaler',
  infer: ({ spec: { clusterAutoscaler, kubernetesVersion } }) =>
    clusterAutoscaler?.enabled === true && kubernetesVersion !== undefined
      ? { clusterAutoscaler: { ...DEFAULTS, image: clusterAutoscalerImage(kubernetesVersion) } }
      : {},
};

/** Defaults of groups: every group of workers is scaled. */
export const autoscaledGroups: InstanceGroupRule = {
  name: 'kops default of the cluster autoscaler',
  infer: (group, { spec }) =>
    spec.clusterAutoscaler?.enabled === true && roleOf(group) === 'Node'
      ? { autoscale: true, autoscalePriority: 0 }
      : {},
};
