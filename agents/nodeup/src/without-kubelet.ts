import type { Task } from '@kopsctl/tasks/task.ts';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';

/**
 * The tasks of a machine that is prepared for later and stopped until then: all except starting kubelet, which would register
 * a Node that pods are sent to (kops nodeup/pkg/model/kubelet.go). The boot that starts the machine for good starts kubelet.
 */
export const withoutKubelet = (tasks: readonly Task[]): readonly Task[] =>
  tasks.map((task) =>
    task.kind === 'Service' && task.name === KUBELET_UNIT
      ? { ...task, props: { ...task.props, enabled: false, running: false } }
      : task,
  );
