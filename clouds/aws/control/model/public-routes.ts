import type { Output } from '@kopsctl/model/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { isManaged, isOwn } from '../subnet-kinds.ts';
import { KOPS_ROLE_TAG, resourceTags } from './tags.ts';

/** The route table of public and utility subnets, which leads to the internet. */
export const publicRouteTable = ({ facts }: AwsContext): Output => outputOf('aws/RouteTable', facts.clusterName, 'id');

/** The internet gateway, and the route table of the managed subnets that use it. */
export function internetRoutes(context: AwsContext): readonly Task[] {
  const { facts, subnets, sharedVpc } = context;
  const name = facts.clusterName;
  if (!subnets.some(isManaged)) return [];
  const internetGateway = outputOf('aws/InternetGateway', name, 'id');
  const gateway = awsTask('aws/InternetGateway', name, {
    vpc: context.vpc,
    shared: sharedVpc,
    tags: resourceTags(facts, name, sharedVpc),
  });
  if (!subnets.some(isOwn)) return [gateway];
  const routeTable = publicRouteTable(context);
  return [
    gateway,
    awsTask('aws/RouteTable', name, {
      vpc: context.vpc,
      tags: { ...resourceTags(facts, name), [KOPS_ROLE_TAG]: 'public' },
    }),
    awsTask('aws/Route', '0.0.0.0/0', { routeTable, cidr: '0.0.0.0/0', internetGateway }),
    awsTask('aws/Route', '::/0', { routeTable, ipv6Cidr: '::/0', internetGateway }),
  ];
}
