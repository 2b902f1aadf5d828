import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { nodeTask, textFile } from './node-task.ts';

const LOGS = ['kube-apiserver', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler'];

/**
 * The components' logs, rotated hourly (kops nodeup/pkg/model/logrotate.go). Machines that
 * reach no package source cannot install it; klog's own limit (1.8 GB a file) is all that holds there.
 */
export function logrotate(node: NodeContext): readonly Task[] {
  if (node.cloud.traits.bringsImages) return [];
  return [
    nodeTask('Package', 'logrotate', { name: 'logrotate' }),
    ...LOGS.map((name) => textFile(`/etc/logrotate.d/${name}`, rules(`/var/log/${name}.log`))),
    textFile('/etc/systemd/system/logrotate.timer.d/hourly.conf', '[Timer]\nOnCalendar=\nOnCalendar=hourly\n'),
  ];
}

function rules(log: string): string {
  const lines = [
    'copytruncate',
    'missingok',
    'notifempty',
    'delaycompress',
    'rotate 10',
    'size 10M',
    'compress',
    // A file of the same date would keep the log from being rotated again on that day.
    'dateext',
    'dateformat -%Y%m%d-%s',
  ];
  return `${log} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n`;
}
