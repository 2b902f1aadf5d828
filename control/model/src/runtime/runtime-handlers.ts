import type { ClusterSpec, NvidiaGpuConfig } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { completedValue } from '../completed-value.ts';
import { containerdSettings } from './containerd-settings.ts';

/** The runtimes besides runc with which containerd can run containers. */
export interface RuntimeHandlers {
  /** NVIDIA's runtime, with what machines with a GPU get for it. */
  readonly nvidia?: NvidiaGpuConfig;
  /** gVisor, with how it catches what containers ask of the kernel. */
  readonly gvisor?: { readonly platform: string };
}

/** The label that says that a machine has a GPU, and where pods that need one go. */
export const GPU_LABEL = 'kops.k8s.io/gpu';

/** The runtimes of a group: NVIDIA's on machines with a GPU, gVisor on workers (kops pkg/apis/kops/instancegroup.go). */
export function runtimeHandlers(spec: ClusterSpec, group: InstanceGroup): RuntimeHandlers {
  const { nvidiaGPU, gvisor } = containerdSettings(spec, group);
  return {
    ...(nvidiaGPU?.enabled === true && group.spec.nodeLabels?.[GPU_LABEL] === '1' && { nvidia: nvidiaGPU }),
    ...(gvisor?.enabled === true &&
      roleOf(group) === 'Node' && {
        gvisor: { platform: completedValue('spec.containerd.gvisor.platform', gvisor.platform) },
      }),
  };
}
