import type { Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { internetRoutes } from './public-routes.ts';
import { privateRoutes } from './private-routes.ts';
import { subnets } from './subnets.ts';
import { resourceTags } from './tags.ts';

/** The VPC, its subnets, and its gateways (kops pkg/model/awsmodel/network.go). */
export function network(context: AwsContext): readonly Task[] {
  return [...vpc(context), ...internetRoutes(context), ...subnets(context), ...privateRoutes(context)];
}

function vpc(context: AwsContext): readonly Task[] {
  const { facts, region } = context;
  const name = facts.clusterName;
  const { networkID, networkCIDR = '', additionalNetworkCIDRs = [] } = facts.spec;
  if (networkID !== undefined && networkID !== '') return [awsTask('aws/Vpc', name, { sharedId: networkID })];
  const tags = resourceTags(facts, name);
  return [
    awsTask('aws/Vpc', name, {
      cidr: networkCIDR,
      amazonIpv6: true,
      enableDnsHostnames: true,
      enableDnsSupport: true,
      tags,
    }),
    ...additionalNetworkCIDRs.map((cidr) => awsTask('aws/VpcCidrBlock', cidr, { vpc: context.vpc, cidr })),
    awsTask('aws/DhcpOptions', name, {
      // us-east-1 is the only region that is not part of the names of its machines.
      domainName: region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`,
      domainNameServers: ['AmazonProvidedDNS'],
      tags,
    }),
    awsTask('aws/DhcpOptionsAssociation', name, {
      vpc: context.vpc,
      dhcpOptions: outputOf('aws/DhcpOptions', name, 'id'),
    }),
  ];
}
