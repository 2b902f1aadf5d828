import { NODE_MARKS_FILE, parseTaint, type GroupMarks, type NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { managedFile } from './keysets.ts';
import { roleOf } from './node/node-context.ts';

/** The labels and taints that protokube keeps on the Nodes of each instance group. */
export function nodeMarks(facts: ClusterFacts, groups: readonly InstanceGroup[]): Task {
  const marks: NodeMarks = Object.fromEntries(groups.map((group) => [group.metadata.name, groupMarks(facts, group)]));
  return managedFile('node-marks', NODE_MARKS_FILE, `${JSON.stringify(marks, null, 2)}\n`);
}

/** What the Nodes of one instance group carry. Labels as kops sets them (pkg/nodelabels/builder.go). */
export function groupMarks(facts: Pick<ClusterFacts, 'spec' | 'kubernetes'>, group: InstanceGroup): GroupMarks {
  const role = roleOf(group);
  const { nodeLabels, taints } = wishedKubelet(facts, group);
  const own = role === 'ControlPlane' ? [`${facts.kubernetes.controlPlaneTaint}=:NoSchedule`] : [];
  return {
    labels: {
      ...nodeLabels,
      ...roleLabels(role, facts.kubernetes.controlPlaneTaint),
      'kops.k8s.io/instancegroup': group.metadata.name,
      ...group.spec.nodeLabels,
    },
    taints: [...new Set([...own, ...(taints ?? []), ...(group.spec.taints ?? [])])].map(parseTaint),
  };
}

/**
 * The spec's wishes for kubelet: those for the role, then for the group. Completion has copied what holds for every
 * kubelet into those of the control plane.
 */
export function wishedKubelet({ spec }: Pick<ClusterFacts, 'spec'>, group: InstanceGroup): KubeletConfig {
  return {
    ...(roleOf(group) === 'ControlPlane' ? spec.masterKubelet : spec.kubelet),
    ...group.spec.kubelet,
  };
}

/** `controlPlaneLabel`: until 1.23 a control plane is called master; the newer label is understood beside it. */
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
