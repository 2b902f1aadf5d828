import type { Task } from '@kopsctl/tasks/task.ts';
import { parseCidr } from '@kopsctl/spec/cidr.ts';
import type { Allowed } from '../kinds/network.ts';
import { suffixed } from '../names.ts';
import { besideNetwork, type GceContext } from './gce-context.ts';
import { gceTask } from './gce-task.ts';

export interface Rule {
  readonly id: string;
  readonly from: { readonly tags: readonly string[] } | { readonly ranges: readonly string[] };
  readonly to: readonly string[];
  readonly allow: readonly Allowed[];
}

/** Each port is a line of its own. */
export const ports = (protocol: string, ...numbers: readonly (number | string)[]): readonly Allowed[] =>
  numbers.map((number) => ({ protocol, ports: [String(number)] }));

/** One rule. */
export const rule = (context: GceContext, { id, from, to, allow }: Rule): Task => {
  const name = suffixed(id, context.facts.clusterName);
  return gceTask('gce/Firewall', name, {
    ...besideNetwork(context),
    name,
    network: context.network,
    allow,
    ...('tags' in from ? { sourceTags: from.tags } : { sourceRanges: from.ranges }),
    targetTags: to,
    disabled: false,
  });
};

/**
 * A rule for each family of addresses, because Google allows only one in a rule. A family without a range has a disabled rule
 * (kops pkg/model/gcemodel/firewall.go), which people can find and which opens nothing.
 */
export function ruleOfEachFamily(context: GceContext, { id, from, to, allow }: Rule): readonly Task[] {
  const allowIpv6 = allow.map((one) => (one.protocol === 'icmp' ? { ...one, protocol: ICMPV6 } : one));
  if ('tags' in from) {
    return [rule(context, { id, from, to, allow }), rule(context, { id: `${id}-ipv6`, from, to, allow: allowIpv6 })];
  }
  const families = Object.groupBy(from.ranges, (range) => parseCidr(range)?.family ?? 'ipv6');
  return [
    ofFamily(context, { id, from, to, allow }, families.ipv4 ?? [], '0.0.0.0/0'),
    ofFamily(context, { id: `${id}-ipv6`, from, to, allow: allowIpv6 }, families.ipv6 ?? [], '::/0'),
  ];
}

/** ICMPv6 has no name in Google's firewall. */
const ICMPV6 = '58';

function ofFamily(context: GceContext, wish: Rule, ranges: readonly string[], everyone: string): Task {
  const task = rule(context, { ...wish, from: { ranges: ranges.length === 0 ? [everyone] : ranges } });
  return { ...task, props: { ...task.props, disabled: ranges.length === 0 } };
}
