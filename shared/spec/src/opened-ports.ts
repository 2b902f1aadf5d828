import type { Cluster, KubeletConfig } from './cluster.ts';
import type { InstanceGroup } from './instance-group.ts';
import { fault, type Fault } from './validate/fault.ts';

/**
 * Settings that act, but open a port to everybody who reaches a machine. They are reported each time the cluster is planned.
 *
 * @param cluster as the user wrote it, so that each setting is reported once, where it stands
 */
export const openedPorts = ({ spec }: Cluster, groups: readonly InstanceGroup[]): readonly Fault[] => [
  ...ofKubelet('spec.kubelet', spec.kubelet),
  ...ofKubelet('spec.masterKubelet', spec.masterKubelet),
  ...groups.flatMap(({ metadata, spec: { kubelet } }) =>
    ofKubelet('spec.kubelet', kubelet).map((one): Fault => ({ ...one, instanceGroup: metadata.name })),
  ),
];

function ofKubelet(path: string, { readOnlyPort }: KubeletConfig = {}): readonly Fault[] {
  if (readOnlyPort === undefined || readOnlyPort === 0) return [];
  return [
    fault(
      `${path}.readOnlyPort`,
      `kubelet tells everybody who reaches port ${readOnlyPort} of a machine which pods run there, and with which settings`,
      'remove this field, and ask port 10250 with a token that may get nodes/proxy or nodes/metrics',
    ),
  ];
}
