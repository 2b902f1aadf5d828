import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Output } from '@kopsctl/model/output.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ElasticIpProps, RouteProps } from '../kinds/network.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { resourceTags } from './tags.ts';

/** Where a route leads. */
export type Target = Omit<RouteProps, 'routeTable' | 'cidr' | 'ipv6Cidr'>;

/** The NAT64 prefix, by which IPv6-only machines reach IPv4 (RFC 6052 §2.1). */
export const NAT64 = '64:ff9b::/96';

interface Egress {
  readonly egress: string;
  readonly publicIp: string | undefined;
}

/** The subnets of a zone share a route table, so they must have the same egress. */
function oneEgress(context: AwsContext, zone: string, subnets: readonly ClusterSubnetSpec[]): Egress {
  const ways = new Set(subnets.map(({ egress = '', publicIP = '' }) => `${egress} ${publicIP}`));
  if (ways.size > 1) {
    throw new ActionableError({
      what: `set up the routes of ${context.facts.clusterName} in ${zone}`,
      why: `its subnets have different egress: ${subnets.map(({ name, egress }) => `${name} ${egress ?? '(NAT gateway)'}`).join(', ')}`,
      next: 'give all subnets of one kind in one zone the same egress and publicIP',
    });
  }
  return { egress: subnets[0]?.egress ?? '', publicIp: subnets[0]?.publicIP };
}

/** An elastic IP by its allocation (`egress`), or by the address itself (`publicIP`, as in kops). */
const sharedElasticIp = (named: string): ElasticIpProps =>
  named.startsWith('eipalloc-') ? { sharedId: named } : { sharedAddress: named };

/**
 * How subnets of a zone reach IPv4 outside: by a NAT gateway unless the spec sets another egress.
 *
 * @param placeOf the subnet in which a new NAT gateway is
 */
export function wayOut(
  context: AwsContext,
  zone: string,
  subnets: readonly ClusterSubnetSpec[],
  placeOf: (context: AwsContext, zone: string) => Output,
): { readonly tasks: readonly Task[]; readonly target?: Target } {
  const { egress, publicIp } = oneEgress(context, zone, subnets);
  const name = `${zone}.${context.facts.clusterName}`;
  const natGateway = outputOf('aws/NatGateway', name, 'id');
  if (egress.startsWith('nat-')) {
    return { tasks: [awsTask('aws/NatGateway', name, { sharedId: egress })], target: { natGateway } };
  }
  if (egress.startsWith('tgw-')) return { tasks: [], target: { transitGateway: egress } };
  if (egress.startsWith('i-')) return { tasks: [], target: { instance: egress } };
  if (egress === '' || egress.startsWith('eipalloc-')) {
    const shared = egress === '' ? publicIp : egress;
    const elasticIp = outputOf('aws/ElasticIp', name, 'id');
    const tags = resourceTags(context.facts, name);
    return {
      tasks: [
        awsTask('aws/ElasticIp', name, shared === undefined ? { tags } : sharedElasticIp(shared)),
        awsTask('aws/NatGateway', name, {
          subnet: placeOf(context, zone),
          elasticIp,
          after: [{ ref: `aws/InternetGateway/${context.facts.clusterName}` }],
          tags,
        }),
      ],
      target: { natGateway },
    };
  }
  throw new ActionableError({
    what: `set up the routes of ${context.facts.clusterName} in ${zone}`,
    why: `the egress ${egress} is of an unknown kind`,
    next: 'use a NAT gateway (nat-…), an address for one (eipalloc-…), an instance (i-…), a transit gateway (tgw-…) or External',
  });
}
