import type { Task } from '@kopsctl/tasks/task.ts';
import type { TopBlock } from '@kopsctl/model/terraform/kind.ts';
import { terraformName } from '@kopsctl/model/terraform/terraform-name.ts';
import { block, type Expression, expression, type Value } from '@kopsctl/model/terraform/value.ts';
import { attribute } from '@kopsctl/model/terraform/resource.ts';
import { EGRESS_ONLY_GATEWAY } from './network.ts';

export interface ConfigurationFacts {
  readonly clusterName: string;
  readonly region: string;
  /** spec.target.terraform: additional arguments of the providers. */
  readonly providerConfig: Readonly<Record<string, string>>;
  readonly filesProviderConfig: Readonly<Record<string, string>>;
}

/** Everything of a configuration except resources: the providers, and outputs under kops's names for other modules. */
export function awsBlocks(tasks: readonly Task[], facts: ConfigurationFacts): readonly TopBlock[] {
  const outputs = outputsOf(tasks, facts);
  return [
    { type: 'locals', labels: [], body: outputs },
    ...Object.entries(outputs).map(([name, value]) => ({ type: 'output', labels: [name], body: { value } })),
    ...variables(tasks),
    { type: 'provider', labels: ['aws'], body: { region: facts.region, ...facts.providerConfig } },
    {
      type: 'provider',
      labels: ['aws'],
      body: { alias: 'files', region: facts.region, ...facts.filesProviderConfig },
    },
    {
      type: 'terraform',
      labels: [],
      body: {
        required_version: '>= 0.15.0',
        required_providers: block({
          aws: { configuration_aliases: [expression('aws.files')], source: 'hashicorp/aws', version: '>= 5.0.0' },
        }),
      },
    },
  ];
}

/** Values that neither the spec nor Terraform's provider knows, so that the user has to give them. */
const variables = (tasks: readonly Task[]): readonly TopBlock[] =>
  tasks.some(isUnknownGateway)
    ? [
        {
          type: 'variable',
          labels: [EGRESS_ONLY_GATEWAY],
          body: {
            type: expression('string'),
            description: 'The egress-only internet gateway of the shared VPC: eigw-…',
          },
        },
      ]
    : [];

const isUnknownGateway = ({ kind, props }: Task): boolean =>
  kind === 'aws/EgressOnlyInternetGateway' && props['shared'] === true && props['foundId'] === undefined;

function outputsOf(tasks: readonly Task[], { clusterName, region }: ConfigurationFacts): Record<string, Value> {
  const of = (kind: string) => tasks.filter((task) => task.kind === kind);
  const ids = (kind: string, type: string, prefix: string): readonly Expression[] =>
    of(kind)
      .filter(({ name, props }) => name.startsWith(prefix) && !('sharedId' in props))
      .map(({ name }) => attribute(type, name, 'id'));
  const vpc = of('aws/Vpc')[0];
  const sharedVpc = vpc?.props['sharedId'];
  const vpcField = (field: string) =>
    attribute(sharedVpc === undefined ? 'aws_vpc' : 'data.aws_vpc', vpc?.name ?? clusterName, field);
  return {
    cluster_name: clusterName,
    region,
    vpc_id: typeof sharedVpc === 'string' ? sharedVpc : vpcField('id'),
    vpc_cidr_block: vpcField('cidr_block'),
    vpc_ipv6_cidr_block: vpcField('ipv6_cidr_block'),
    vpc_ipv6_cidr_length: expression(
      String.raw`local.vpc_ipv6_cidr_block == "" ? null : tonumber(regex(".*/(\\d+)", local.vpc_ipv6_cidr_block)[0])`,
    ),
    ...Object.fromEntries(
      of('aws/IamRole').flatMap(({ name }) => {
        const role = /^(masters|nodes|apiservers|bastions)\./.exec(name)?.[1];
        if (role === undefined) return [];
        return [
          [`${role}_role_arn`, attribute('aws_iam_role', name, 'arn')],
          [`${role}_role_name`, attribute('aws_iam_role', name, 'name')],
        ];
      }),
    ),
    master_security_group_ids: ids('aws/SecurityGroup', 'aws_security_group', 'masters.'),
    node_security_group_ids: ids('aws/SecurityGroup', 'aws_security_group', 'nodes.'),
    master_autoscaling_group_ids: groups(tasks, (name) => name.includes('.masters.')),
    node_autoscaling_group_ids: groups(tasks, (name) => !/\.(masters|apiservers)\.|^bastion/.test(name)),
    ...Object.fromEntries(
      of('aws/Subnet')
        .filter(({ props }) => !('sharedId' in props))
        .map(({ name }) => [
          `subnet_${terraformName(name.slice(0, -clusterName.length - 1))}_id`,
          attribute('aws_subnet', name, 'id'),
        ]),
    ),
    ...Object.fromEntries(
      of('aws/RouteTable').map(({ name }) => [
        name === clusterName
          ? 'route_table_public_id'
          : `route_table_${terraformName(name.slice(0, -clusterName.length - 1))}_id`,
        attribute('aws_route_table', name, 'id'),
      ]),
    ),
  };
}

/** The auto-scaling groups whose names are outputs. */
const groups = (tasks: readonly Task[], wanted: (name: string) => boolean): readonly Expression[] =>
  tasks
    .filter(({ kind, name }) => kind === 'aws/AutoscalingGroup' && wanted(name))
    .map(({ name }) => attribute('aws_autoscaling_group', name, 'id'));
