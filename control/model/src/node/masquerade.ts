import type { Task } from '@kopsctl/tasks/task.ts';
import { bootScript } from './boot-script.ts';
import type { NodeContext } from './node-context.ts';

/**
 * Traffic that leaves the cluster takes the node's address (kops nodeup/pkg/model/containerd.go, cni-iptables-setup;
 * there, the rules are added again on each run; here, the script looks for them first). With Docker, kubelet's kubenet
 * does it; every other network brings its own.
 */
export const masquerade = ({ nonMasqueradeRange }: NodeContext): readonly Task[] =>
  bootScript({
    name: 'cni-iptables-setup',
    description: 'Masquerade what leaves the cluster',
    before: 'network.target',
    lines: [
      'ensure() { chain=$1; shift; iptables -w -t nat -C "$chain" "$@" 2>/dev/null || iptables -w -t nat -A "$chain" "$@"; }',
      'iptables -w -t nat -N IP-MASQ 2>/dev/null || true',
      'ensure POSTROUTING -m comment --comment "ip-masq: ensure nat POSTROUTING directs all non-LOCAL destination traffic to our custom IP-MASQ chain" -m addrtype ! --dst-type LOCAL -j IP-MASQ',
      `ensure IP-MASQ -d ${nonMasqueradeRange} -m comment --comment "ip-masq: pod cidr is not subject to MASQUERADE" -j RETURN`,
      'ensure IP-MASQ -m comment --comment "ip-masq: outbound traffic is subject to MASQUERADE (must be last in chain)" -j MASQUERADE',
    ],
  });
