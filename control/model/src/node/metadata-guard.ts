import type { Task } from '@kopsctl/tasks/task.ts';
import type { MetadataService } from '../cluster-facts.ts';
import { isIpv6Only } from '../discovery.ts';
import { bootScript } from './boot-script.ts';
import type { NodeContext } from './node-context.ts';

const NAME = 'metadata-guard';
/** At most 28 characters. */
const CHAIN = 'KOPS-METADATA';

/** kubelet starts pods only where this runs. */
export const METADATA_GUARD = `Service/${NAME}.service` as const;

/**
 * Keeps pods from the metadata service, which knows a machine by its address and would take them for it. Whatever comes
 * to the machine with that destination is from a pod with a network of its own: programs of the machine itself, and
 * pods in its network, send from within. The raw table is asked before any other, so no rule of a pod network or of
 * kube-proxy comes before this one.
 */
export const metadataGuard = (node: NodeContext): readonly Task[] =>
  bootScript({
    name: NAME,
    description: 'Keep pods from the metadata service',
    before: 'kubelet.service',
    lines: rules(node.cloud.metadata, isIpv6Only(node)),
  });

function rules({ ipv4, ipv6, hasDns }: MetadataService, podsHaveIpv6: boolean): readonly string[] {
  return [
    ...family('iptables', ipv4, hasDns === true),
    ...(podsHaveIpv6 && ipv6 !== undefined ? family('ip6tables', ipv6, hasDns === true) : []),
  ];
}

/** The chain is replaced in one step, so that running the script again leaves no gap. */
function family(program: string, address: string, hasDns: boolean): readonly string[] {
  const dns = ['udp', 'tcp'].map((protocol) => `-A ${CHAIN} -p ${protocol} --dport 53 -j RETURN`);
  const jump = `PREROUTING -d ${address} -j ${CHAIN}`;
  return [
    `${program}-restore -w --noflush <<'RULES'`,
    '*raw',
    `:${CHAIN} - [0:0]`,
    ...(hasDns ? dns : []),
    `-A ${CHAIN} -j DROP`,
    'COMMIT',
    'RULES',
    `${program} -w -t raw -C ${jump} 2>/dev/null || ${program} -w -t raw -I ${jump}`,
  ];
}
