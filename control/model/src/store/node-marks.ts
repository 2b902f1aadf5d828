import { NODE_MARKS_FILE, parseTaint, type GroupMarks, type NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { managedFile } from './keysets.ts';
import { roleOf } from '@kopsctl/spec/names.ts';

/** The labels and taints that protokube maintains on the Nodes of each instance group. */
export function nodeMarks(facts: ClusterFacts, groups: readonly InstanceGroup[]): Task {
  const marks: NodeMarks = Object.fromEntries(groups.map((group) => [group.metadata.name, groupMarks(facts, group)]));
  return managedFile('node-marks', NODE_MARKS_FILE, `${JSON.stringify(marks, null, 2)}\n`);
}

/** The labels and taints of the Nodes of one instance group. Labels are those of kops (pkg/nodelabels/builder.go). */
export function groupMarks(facts: Pick<ClusterFacts, 'spec' | 'kubernetes'>, group: InstanceGroup): GroupMarks {
  const role = roleOf(group);
  const { nodeLabels, taints = [] } = wishedKubelet(facts, group);
  const own = {
    ControlPlane: [`${facts.kubernetes.controlPlaneTaint}=:NoSchedule`],
    // Its machines hold keys of the API server (kops upup/pkg/fi/cloudup/populate_instancegroup_spec.go).
    APIServer: ['node-role.kubernetes.io/api-server=:NoSchedule'],
    Node: [],
    Bastion: [],
  }[role];
  return {
    labels: {
      ...nodeLabels,
      ...roleLabels(role, facts.kubernetes.controlPlaneTaint),
      'kops.k8s.io/instancegroup': group.metadata.name,
      ...group.spec.nodeLabels,
    },
    taints: [...new Set([...own, ...(facts.spec.kubelet?.taints ?? []), ...taints, ...(group.spec.taints ?? [])])].map(
      parseTaint,
    ),
  };
}

/** Settings of kubelet for the role, then for the group. What has names, such as labels, is merged by name. */
export function wishedKubelet({ spec }: Pick<ClusterFacts, 'spec'>, group: InstanceGroup): KubeletConfig {
  const ofRole: Settings = { ...(roleOf(group) === 'ControlPlane' ? spec.masterKubelet : spec.kubelet) };
  const ofGroup = Object.entries(group.spec.kubelet ?? {}).map(([field, value]) => {
    const former = ofRole[field];
    return [field, isRecord(value) && isRecord(former) ? { ...former, ...value } : value];
  });
  return { ...ofRole, ...Object.fromEntries(ofGroup) };
}

type Settings = Readonly<Record<string, unknown>>;

/** `controlPlaneLabel`: until 1.23 the role of a control plane is called master. The newer label is used in addition. */
function roleLabels(role: NodeRole, controlPlaneLabel: string): Readonly<Record<string, string>> {
  switch (role) {
    case 'ControlPlane':
      return {
        [controlPlaneLabel]: '',
        'node-role.kubernetes.io/control-plane': '',
        'node.kubernetes.io/exclude-from-external-load-balancers': '',
      };
    case 'APIServer':
      return { 'node-role.kubernetes.io/api-server': '' };
    case 'Node':
      return { 'node-role.kubernetes.io/node': '' };
    case 'Bastion':
      return {};
  }
}
