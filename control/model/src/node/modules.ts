import type { Task } from '@kopsctl/tasks/task.ts';
import { after, nodeTask, textFile } from './node-task.ts';

/** containerd needs overlay; kube-proxy sees bridged traffic by br_netfilter and counts connections in nf_conntrack. */
const MODULES = ['br_netfilter', 'nf_conntrack', 'overlay'];

/** Kernel modules, now and at every boot. */
export function modules(): readonly Task[] {
  return [
    // Some systems have br_netfilter only in what iptables brings (shared/node-handlers/src/package.ts).
    ...MODULES.map((name) =>
      nodeTask('KernelModule', name, { name, ...(name === 'br_netfilter' && { after: after('Package/iptables') }) }),
    ),
    textFile('/etc/modules-load.d/kops.conf', `${MODULES.join('\n')}\n`),
  ];
}
