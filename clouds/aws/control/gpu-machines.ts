import { GPU_LABEL } from '@kopsctl/model/runtime/runtime-handlers.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { Correction, InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';

/** Instance families with GPUs (EC2 instance types, "Accelerated computing"): p2, p5en, p6-b200, g4dn, g6e, gr6 … */
const GPU_FAMILY = /^(p[2-9][a-z0-9-]*|gr?[2-9][a-z]*)\./;

/** What keeps pods off machines with GPUs unless they ask for one. */
const TAINT = 'nvidia.com/gpu';

/** Whether machines of a type have GPUs, by the name of its family. */
export const isGpuType = (machineType: string): boolean => GPU_FAMILY.test(machineType);

const isGpuGroup = ({ machineType, containerd }: InstanceGroupSpec, cluster: ClusterSpec): boolean =>
  (containerd?.nvidiaGPU?.enabled === true || cluster.containerd?.nvidiaGPU?.enabled === true) &&
  isGpuType(machineType ?? '');

/**
 * Marks machines with GPUs, also for an autoscaler that makes the first one (kops
 * upup/pkg/fi/cloudup/populate_instancegroup_spec.go).
 */
export const gpuLabel: InstanceGroupRule = {
  name: 'kops default of machines with GPUs',
  infer: ({ spec }, { spec: cluster }) => (isGpuGroup(spec, cluster) ? { nodeLabels: { [GPU_LABEL]: '1' } } : {}),
};

/** Adds the taint to the ones that a person has set. */
export const gpuTaint: Correction = {
  name: gpuLabel.name,
  cluster: (spec) => spec,
  instanceGroup(spec, cluster) {
    const { taints = [] } = spec;
    if (!isGpuGroup(spec, cluster) || taints.some((taint) => taint.startsWith(TAINT))) return spec;
    return { ...spec, taints: [...taints, `${TAINT}:NoSchedule`] };
  },
};
