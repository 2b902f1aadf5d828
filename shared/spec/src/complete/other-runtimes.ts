import type { ContainerdConfig } from '../cluster.ts';
import type { Inferred } from './infer.ts';
import type { ClusterRule, InstanceGroupRule } from './rule.ts';

/** kops pkg/apis/kops/containerdconfig.go. systrap works on every machine; kvm needs one that may virtualise. */
const DEFAULTS = {
  gvisor: { platform: 'systrap' },
  nvidiaGPU: { package: 'nvidia-driver-535-server', image: 'nvcr.io/nvidia/k8s-device-plugin:v0.17.3' },
} as const satisfies ContainerdConfig;

const NAME = 'kops default of the runtime';

/** Defaults of the runtimes besides runc, where the cluster asks for them (kops pkg/model/components/containerd.go). */
export const otherRuntimeRules: readonly ClusterRule[] = [
  {
    name: NAME,
    infer: ({ spec: { containerd = {} } }) => ofAskedFor(containerd, DEFAULTS),
  },
];

/** The same where only a group asks for them. What the cluster says of them, machines of the group have from there. */
export const otherRuntimeGroupRules: readonly InstanceGroupRule[] = [
  {
    name: NAME,
    infer: ({ spec: { containerd = {} } }, { spec: { containerd: all = {} } }) =>
      ofAskedFor(containerd, {
        gvisor: { platform: all.gvisor?.platform === undefined ? DEFAULTS.gvisor.platform : undefined },
        nvidiaGPU: {
          package: all.nvidiaGPU?.package === undefined ? DEFAULTS.nvidiaGPU.package : undefined,
          image: all.nvidiaGPU?.image === undefined ? DEFAULTS.nvidiaGPU.image : undefined,
        },
      }),
  },
];

function ofAskedFor(
  { gvisor, nvidiaGPU }: ContainerdConfig,
  defaults: Inferred<ContainerdConfig>,
): { readonly containerd?: Inferred<ContainerdConfig> } {
  const asked = {
    ...(gvisor?.enabled === true && { gvisor: defaults.gvisor }),
    ...(nvidiaGPU?.enabled === true && { nvidiaGPU: defaults.nvidiaGPU }),
  };
  return Object.keys(asked).length === 0 ? {} : { containerd: asked };
}
