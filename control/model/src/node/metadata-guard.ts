import { AUTHORITY_SYSTEM_USER } from '@kopsctl/systemd/node-authority.service.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';
import type { MetadataService } from '../cluster-facts.ts';
import { isIpv6Only } from '../discovery.ts';
import { AUTHORITY_ACCOUNT } from './authority-account.ts';
import { bootScript } from './boot-script.ts';
import type { NodeContext } from './node-context.ts';

const NAME = 'metadata-guard';
/** At most 28 characters. */
const CHAIN = 'KOPS-METADATA';

/** kubelet starts pods only where this runs, and the node authority waits for it too. */
export const METADATA_GUARD = `Service/${NAME}.service` as const;

/**
 * Keeps pods from the metadata service, which knows a machine by its address and would take them for it. Whatever comes to the
 * machine with that destination is from a pod with a network of its own: programs of the machine itself, and pods in its network,
 * send from within. The raw table is evaluated before any other, so no rule of a pod network or of kube-proxy comes before this
 * one.
 *
 * A group whose answers may pass more than one hop is asked for by the person who lets its pods ask: there only the authority
 * is kept from it.
 *
 * On the machine itself, the node authority is kept from it: the network talks to that user, and the rights of a control plane
 * are those of the metadata service (on local machines the state store is behind the same address).
 */
export const metadataGuard = (node: NodeContext): readonly Task[] =>
  bootScript({
    name: NAME,
    description: node.isControlPlane
      ? 'Keep pods and the node authority from the metadata service'
      : 'Keep pods from the metadata service',
    before: node.isControlPlane ? `${KUBELET_UNIT} node-authority.service` : KUBELET_UNIT,
    lines: rules(node.cloud.metadata, {
      podsHaveIpv6: isIpv6Only(node),
      podsMayAsk: (node.instanceGroup.spec.instanceMetadata?.httpPutResponseHopLimit ?? 1) > 1,
      hasAuthority: node.isControlPlane,
    }),
    // iptables looks for the number of the user.
    needs: ['Package/iptables', ...(node.isControlPlane ? [AUTHORITY_ACCOUNT] : [])],
  });

interface Senders {
  readonly podsHaveIpv6: boolean;
  readonly podsMayAsk: boolean;
  readonly hasAuthority: boolean;
}

function rules(
  { ipv4, ipv6, hasDns }: MetadataService,
  { podsHaveIpv6, podsMayAsk, hasAuthority }: Senders,
): readonly string[] {
  const fromPods = (address: string): string => `PREROUTING -d ${address}`;
  const fromAuthority = (address: string): readonly string[] =>
    hasAuthority ? [`OUTPUT -d ${address} -m owner --uid-owner ${AUTHORITY_SYSTEM_USER}`] : [];
  const ofPods = (addresses: readonly string[]) => (podsMayAsk ? [] : addresses.map(fromPods));
  const overIpv6 = ipv6 === undefined ? [] : [...ofPods(podsHaveIpv6 ? [ipv6] : []), ...fromAuthority(ipv6)];
  return [
    // What the script of an earlier plan has added.
    ...(podsMayAsk ? [`iptables -w -t raw -D ${fromPods(ipv4)} -j ${CHAIN} 2>/dev/null || true`] : []),
    ...(podsMayAsk && podsHaveIpv6 && ipv6 !== undefined
      ? [`ip6tables -w -t raw -D ${fromPods(ipv6)} -j ${CHAIN} 2>/dev/null || true`]
      : []),
    ...family('iptables', [...ofPods([ipv4]), ...fromAuthority(ipv4)], hasDns === true),
    // A machine in a subnet with IPv6 addresses reaches the service by them, whatever addresses its pods have. ip6tables fails
    // where the kernel has no IPv6, and nothing can be reached by it.
    ...(overIpv6.length > 0
      ? ['if [ -e /proc/net/if_inet6 ]; then', ...family('ip6tables', overIpv6, hasDns === true), 'fi']
      : []),
  ];
}

/** The chain is replaced in one step, so that running the script again leaves no gap. */
function family(program: string, matches: readonly string[], hasDns: boolean): readonly string[] {
  const dns = ['udp', 'tcp'].map((protocol) => `-A ${CHAIN} -p ${protocol} --dport 53 -j RETURN`);
  return [
    `${program}-restore -w --noflush <<'RULES'`,
    '*raw',
    `:${CHAIN} - [0:0]`,
    ...(hasDns ? dns : []),
    `-A ${CHAIN} -j DROP`,
    'COMMIT',
    'RULES',
    ...matches
      .map((match) => `${match} -j ${CHAIN}`)
      .map((jump) => `${program} -w -t raw -C ${jump} 2>/dev/null || ${program} -w -t raw -I ${jump}`),
  ];
}
