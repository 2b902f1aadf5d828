import type { Task } from '@kopsctl/tasks/task.ts';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';
import { bootScript } from './boot-script.ts';
import type { NodeContext } from './node-context.ts';

const NAME = 'service-guard';

/** kubelet starts pods only where this runs. */
export const SERVICE_GUARD = `Service/${NAME}.service` as const;

/**
 * Refuses what pods send to an address of a Service while nothing translates it: until kube-proxy has written its rules,
 * and where no Service has the address. Without it the packet leaves the machine and is lost, and the kernel remembers the
 * connection as one that is not to be translated, so that sending again never helps: a client that dials before
 * kube-proxy is ready hangs until its own time limit, 30 seconds for the clients of Kubernetes.
 *
 * A translated packet has the address of a pod by the time that it is forwarded, so the rule concerns no Service that works,
 * whoever translates. Programs of the machine itself are not forwarded and not concerned.
 */
export const serviceGuard = ({ serviceRange }: NodeContext): readonly Task[] =>
  bootScript({
    name: NAME,
    description: 'Refuse packets to addresses of Services that nothing translates',
    before: KUBELET_UNIT,
    lines: [refusal(serviceRange)],
  });

function refusal(range: string): string {
  const program = range.includes(':') ? 'ip6tables' : 'iptables';
  const rule = `FORWARD -d ${range} -j REJECT`;
  // First, because pod networks accept whatever pods send.
  return `${program} -w -C ${rule} 2>/dev/null || ${program} -w -I ${rule}`;
}
