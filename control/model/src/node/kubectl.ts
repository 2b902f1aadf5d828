import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { assetTask, nodeTask, programFile } from './node-task.ts';
import { KOPS_KUBECONFIG } from './paths.ts';

/** kubectl on the control plane; root uses it as the cluster's administrator (kops nodeup/pkg/model/kubectl.go). */
export function kubectl(node: NodeContext): readonly Task[] {
  const asset = assetTask(node, node.assets.find('kubectl', node.kubernetesVersion));
  return [
    asset,
    programFile('/usr/local/bin/kubectl', asset),
    nodeTask('Symlink', 'root/.kube/config', { path: '/root/.kube/config', target: KOPS_KUBECONFIG }),
  ];
}
