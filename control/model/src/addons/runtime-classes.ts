import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { GPU_LABEL, runtimeHandlers } from '../runtime-handlers.ts';
import { type Addon, addonIf } from './addon.ts';
import type { AddonObject } from './addon-object.ts';

/** The names by which pods choose a runtime other than runc, where a group has one. */
export function runtimeClasses({ spec }: ClusterFacts, groups: readonly InstanceGroup[]): readonly Addon[] {
  const handlers = groups.map((group) => runtimeHandlers(spec, group));
  const nvidia = handlers.some((one) => one.nvidia);
  const gvisor = handlers.some((one) => one.gvisor !== undefined);
  return [
    ...addonIf(nvidia, 'nvidia.addons.k8s.io', 'k8s-1.16', () => [nvidiaClass], {
      askedBy: 'spec.containerd.nvidiaGPU.enabled',
    }),
    ...addonIf(gvisor, 'gvisor.addons.k8s.io', 'k8s-1.20', () => [runtimeClass('gvisor', 'runsc')], {
      askedBy: 'spec.containerd.gvisor.enabled',
    }),
  ];
}

const runtimeClass = (name: string, handler: string): AddonObject => ({
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name },
  handler,
});

/** Its pods go to machines with a GPU, whose taint they tolerate. */
const nvidiaClass: AddonObject = {
  ...runtimeClass('nvidia', 'nvidia'),
  scheduling: {
    nodeSelector: { [GPU_LABEL]: '1' },
    tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
  },
};
