import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { containerdSettings } from '../runtime/containerd-settings.ts';
import type { AddonObject } from './addon-object.ts';

/** SELinux hinders a process with this label in nothing (kops pkg/kubemanifest/selinux.go). */
export const MACHINE_LABEL = { level: 's0', type: 'spc_t' };

/** Whether SELinux labels the containers of any machine. */
export const labelsContainers = ({ spec }: ClusterFacts, groups: readonly InstanceGroup[]): boolean =>
  groups.some((group) => containerdSettings(spec, group).selinuxEnabled === true);

/**
 * The object, whose pods may use what they mount of their machine where SELinux labels containers. Other pods keep the label
 * that holds them in their container; machines without SELinux pay no heed.
 */
export function withMachineLabel(object: AddonObject): AddonObject {
  const { spec } = object;
  const template = isRecord(spec) ? spec['template'] : undefined;
  const pod = isRecord(template) ? template['spec'] : undefined;
  if (!isRecord(spec) || !isRecord(template) || !isRecord(pod) || !usesMachine(pod)) return object;
  const own = isRecord(pod['securityContext']) ? pod['securityContext'] : {};
  const securityContext = { seLinuxOptions: MACHINE_LABEL, ...own };
  return { ...object, spec: { ...spec, template: { ...template, spec: { ...pod, securityContext } } } };
}

function usesMachine({ volumes }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(volumes) && volumes.some((volume) => isRecord(volume) && volume['hostPath'] !== undefined);
}
