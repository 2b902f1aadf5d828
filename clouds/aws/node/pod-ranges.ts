import type { PodRanges } from '@kopsctl/node-cloud/node-cloud.ts';
import { describeAll, type Ec2Query } from './ec2-query.ts';
import { type Element, itemsAt, textAt } from './xml.ts';

/** EC2 takes up to 200 values of a filter. */
const VALUES_OF_FILTER = 200;

/**
 * IPv6 prefixes of machines' primary interfaces, a /80 each: the VPC sends there what goes to such an address (EC2 user guide,
 * "Assign prefixes to Amazon EC2 network interfaces"; kops cmd/kops-controller/controllers/awsipam.go).
 */
export function podRanges(open: (signal: AbortSignal) => Promise<Ec2Query>): PodRanges {
  const interfaces = async (instanceIds: readonly string[], signal: AbortSignal): Promise<readonly Interface[]> => {
    const filters = { 'attachment.instance-id': instanceIds, 'attachment.device-index': ['0'] };
    const query = { action: 'DescribeNetworkInterfaces', list: 'networkInterfaceSet', filters };
    return (await describeAll(await open(signal), query, signal)).flatMap((one) => readInterface(one) ?? []);
  };
  return {
    async list(instanceIds, signal) {
      const found = new Map<string, readonly string[]>();
      for (let from = 0; from < instanceIds.length; from += VALUES_OF_FILTER) {
        const some = await interfaces(instanceIds.slice(from, from + VALUES_OF_FILTER), signal);
        for (const { instanceId, prefixes } of some) found.set(instanceId, prefixes);
      }
      return found;
    },
    async assign(instanceId, signal) {
      const [primary] = await interfaces([instanceId], signal);
      if (primary === undefined) throw new Error('EC2 shows no primary network interface of the instance');
      // It has one by now, if the answer to an earlier call was lost.
      const [known] = primary.prefixes;
      if (known !== undefined) return known;
      const parameters = { NetworkInterfaceId: primary.id, Ipv6PrefixCount: '1' };
      const answer = await (await open(signal)).call('AssignIpv6Addresses', parameters, signal);
      const [assigned] = itemsAt(answer, 'assignedIpv6PrefixSet').map(({ text }) => text.trim());
      if (assigned === undefined) throw new Error(`EC2 assigned no prefix to ${primary.id}`);
      return assigned;
    },
  };
}

interface Interface {
  readonly id: string;
  readonly instanceId: string;
  readonly prefixes: readonly string[];
}

/** Undefined for an interface that is not the primary one, whatever a filter said. */
function readInterface(element: Element): Interface | undefined {
  const attachment = (field: string): string => textAt(element, 'attachment', field);
  if (attachment('deviceIndex') !== '0' || !['', '0'].includes(attachment('networkCardIndex'))) return undefined;
  return {
    id: textAt(element, 'networkInterfaceId'),
    instanceId: attachment('instanceId'),
    prefixes: itemsAt(element, 'ipv6PrefixSet')
      .map((item) => textAt(item, 'ipv6Prefix'))
      .toSorted(),
  };
}
