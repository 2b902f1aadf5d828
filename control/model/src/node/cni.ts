import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { archiveTask, assetTask, textFile } from './node-task.ts';

export const CNI_BIN_DIR = '/opt/cni/bin';
export const CNI_TEMPLATE = '/etc/containerd/config-cni.template';
export const CNI_CONF_DIR = '/etc/cni/net.d';

/** The CNI plugins. */
export function cni(node: NodeContext): readonly Task[] {
  const entry = node.assets.find('cni');
  const asset = assetTask(node, entry);
  return [asset, archiveTask(entry, asset, CNI_BIN_DIR)];
}

/**
 * kubenet on containerd: containerd fills in the range that the controller-manager gave the node and writes the
 * CNI configuration from it (kops nodeup/pkg/model/containerd.go).
 */
export function cniTemplate(): Task {
  const config = {
    cniVersion: '0.4.0',
    name: 'k8s-pod-network',
    plugins: [
      {
        type: 'ptp',
        ipam: { type: 'host-local', ranges: [[{ subnet: '{{.PodCIDR}}' }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
  return textFile(CNI_TEMPLATE, `${JSON.stringify(config, null, 4)}\n`);
}
