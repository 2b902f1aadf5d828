import type { Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { internetRoutes } from './public-routes.ts';
import { privateRoutes } from './private-routes.ts';
import { subnets } from './subnets.ts';
import { resourceTags } from './tags.ts';

/** The VPC, its subnets, and the ways in and out (kops pkg/model/awsmodel/network.go). */
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
      // The oldest region is the one whose name is not in its machines' names.
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
