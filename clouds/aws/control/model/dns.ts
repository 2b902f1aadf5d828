import type { Output } from '@kopsctl/model/output.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isIpv6Only, leavesNamesToOthers, machinesNames, publishesNames, zoneName } from '@kopsctl/model/discovery.ts';
import { apiLoadBalancerName, hasApiLoadBalancer } from './api-load-balancer.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { bastionLoadBalancerName } from './bastion.ts';

/** Whether the names of the cluster are in a hosted zone: DNS is neither gossip nor none. */
export const publishesDns = ({ facts }: AwsContext): boolean => publishesNames(facts);

export const hostedZone = (context: AwsContext, output: 'id' | 'arn'): Output =>
  outputOf('aws/HostedZone', zoneName(context.facts), output);

/** The hosted zone and the records of the load balancers. Machines manage their own records. */
export function dns(context: AwsContext): readonly Task[] {
  if (!publishesDns(context)) return [];
  const { facts } = context;
  const zone = zoneName(facts);
  const isPrivate = facts.spec.topology?.dns?.type === 'Private';
  return [
    awsTask('aws/HostedZone', zone, { zone, private: isPrivate }),
    ...(isPrivate
      ? [awsTask('aws/HostedZoneAssociation', zone, { zone: hostedZone(context, 'id'), vpc: context.vpc })]
      : []),
    ...names(context).flatMap(({ name, loadBalancer }) => records(context, name, loadBalancer)),
    ...(leavesNamesToOthers(facts) ? [] : [reservedNames(context)]),
  ];
}

/** The names that machines manage, created before a machine looks them up. */
function reservedNames(context: AwsContext): Task {
  const { facts } = context;
  return awsTask('aws/ReservedNames', facts.clusterName, {
    zone: hostedZone(context, 'id'),
    clusterName: facts.clusterName,
    ipv6: isIpv6Only(facts),
    ...machinesNames(facts),
  });
}

function names(context: AwsContext): readonly { readonly name: string; readonly loadBalancer: string }[] {
  const { facts, groups } = context;
  const api = apiLoadBalancerName(context);
  const bastionName = facts.spec.topology?.bastion?.bastionPublicName;
  const all = [
    ...(hasApiLoadBalancer(context) ? [{ name: facts.apiPublicName, loadBalancer: api }] : []),
    ...(facts.spec.api?.loadBalancer?.useForInternalApi === true
      ? [{ name: facts.apiInternalName, loadBalancer: api }]
      : []),
    ...(bastionName !== undefined && bastionName !== '' && groups.some((group) => roleOf(group) === 'Bastion')
      ? [{ name: bastionName, loadBalancer: bastionLoadBalancerName(context) }]
      : []),
  ];
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

function records(context: AwsContext, name: string, loadBalancer: string): readonly Task[] {
  const alias = {
    name: outputOf('aws/LoadBalancer', loadBalancer, 'dnsName'),
    zoneId: outputOf('aws/LoadBalancer', loadBalancer, 'zoneId'),
  };
  return (['A', 'AAAA'] as const).map((type) =>
    awsTask('aws/DnsRecord', type === 'A' ? name : `${name}-${type}`, {
      zone: hostedZone(context, 'id'),
      name,
      type,
      alias,
    }),
  );
}
