import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { runtimeHandlers } from '../runtime/runtime-handlers.ts';
import { type Addon, addonIf } from './addon.ts';
import type { AddonObject } from './addon-object.ts';
import { nvidiaObjects } from './nvidia.ts';

/** The names by which pods choose a runtime other than runc, where a group has one. */
export function runtimeClasses({ spec }: ClusterFacts, groups: readonly InstanceGroup[]): readonly Addon[] {
  const handlers = groups.map((group) => runtimeHandlers(spec, group));
  const nvidia = handlers.flatMap((one) => one.nvidia ?? [])[0];
  const gvisor = handlers.some((one) => one.gvisor !== undefined);
  return [
    ...addonIf(nvidia !== undefined, 'nvidia.addons.k8s.io', 'k8s-1.16', () => nvidiaObjects(nvidia ?? {}), {
      askedBy: 'spec.containerd.nvidiaGPU.enabled',
    }),
    ...addonIf(gvisor, 'gvisor.addons.k8s.io', 'k8s-1.20', () => [gvisorClass], {
      askedBy: 'spec.containerd.gvisor.enabled',
    }),
  ];
}

const gvisorClass: AddonObject = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'gvisor' },
  handler: 'runsc',
  // Completion gives this label to the groups whose machines have gVisor.
  scheduling: { nodeSelector: { 'kops.k8s.io/gvisor': '1' } },
};
