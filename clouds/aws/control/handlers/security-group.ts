import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  type IpPermission,
  paginateDescribeSecurityGroupRules,
  paginateDescribeSecurityGroups,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  type SecurityGroup,
  type SecurityGroupRule,
} from '@aws-sdk/client-ec2';
import { CLUSTER_TAG } from '../../node/ownership.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { errorName } from '../error-name.ts';
import { isOwnSecurityGroup } from '../own-names.ts';
import { hasPorts } from '../protocols.ts';
import {
  asked,
  asksForAll,
  type Ec2Found,
  ec2Handler,
  type Ec2Query,
  isOwned,
  listingFilters,
} from './ec2-resource.ts';
import { tagList, tagsOf } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundSecurityGroup extends Ec2Found {
  readonly group: SecurityGroup;
}

async function loadSecurityGroups(aws: AwsCloud, query: Ec2Query): Promise<readonly FoundSecurityGroup[]> {
  const found: FoundSecurityGroup[] = [];
  for await (const page of paginateDescribeSecurityGroups({ client: aws.ec2 }, asked(query, 'GroupIds'))) {
    for (const group of page.SecurityGroups ?? []) {
      found.push({ id: group.GroupId ?? '', tags: tagsOf(group.Tags), group });
    }
  }
  return found;
}

export const securityGroupHandler = ec2Handler<'aws/SecurityGroup', FoundSecurityGroup>({
  kind: 'aws/SecurityGroup',
  noun: 'security group',
  type: 'security-group',
  load: loadSecurityGroups,
  fixed: ['vpc', 'name', 'description'],
  wanted: (props) => ('sharedId' in props ? {} : { vpc: props.vpc, name: props.name, description: props.description }),
  present: ({ group }) => ({
    vpc: group.VpcId ?? '',
    name: group.GroupName ?? '',
    description: group.Description ?? '',
  }),
  async create(props, aws, TagSpecifications) {
    if ('sharedId' in props) return undefined;
    const { GroupId } = await aws.ec2Once.send(
      new CreateSecurityGroupCommand({
        VpcId: props.vpc,
        GroupName: props.name,
        Description: props.description,
        TagSpecifications,
      }),
    );
    return GroupId;
  },
  // The groups of the cluster's Services are among the results.
  keep: ({ tags }, { clusterName }) => !isOwnSecurityGroup(tags, clusterName),
  remove: async (GroupId, aws) => {
    await aws.ec2.send(new DeleteSecurityGroupCommand({ GroupId }));
  },
});

/** The limit of values of a filter. Each Service with a load balancer may have a group. */
const GROUPS_AT_ONCE = 200;

async function rulesOf(aws: AwsCloud, groups: readonly string[]): Promise<readonly SecurityGroupRule[]> {
  const found: SecurityGroupRule[] = [];
  for (let from = 0; from < groups.length; from += GROUPS_AT_ONCE) {
    const Filters = [{ Name: 'group-id', Values: groups.slice(from, from + GROUPS_AT_ONCE) }];
    for await (const page of paginateDescribeSecurityGroupRules({ client: aws.ec2 }, { Filters })) {
      found.push(...(page.SecurityGroupRules ?? []));
    }
  }
  return found;
}

/** The ids of the cluster's groups. */
async function ownGroups(aws: AwsCloud): Promise<readonly string[]> {
  const tagged = await loadSecurityGroups(aws, { filters: listingFilters(aws) });
  return tagged.filter(({ tags }) => isOwned(aws, tags)).map(({ id }) => id);
}

async function rulesOfGroup(aws: AwsCloud, group: string): Promise<readonly SecurityGroupRule[]> {
  const own = asksForAll(aws) ? await ownGroups(aws) : [];
  const rules = await rulesOf(aws, own.includes(group) ? own : [group]);
  return rules.filter(({ GroupId }) => GroupId === group);
}

type RuleProps = PropsOf<'aws/SecurityGroupRule'>;

/**
 * A rule is identified by all of its fields; AWS translates protocol numbers to names and omits ports where a protocol
 * has none.
 */
function matches(props: RuleProps, rule: SecurityGroupRule): boolean {
  return (
    rule.IsEgress === (props.direction === 'egress') &&
    (PROTOCOL_NAMES[rule.IpProtocol ?? ''] ?? rule.IpProtocol) === (PROTOCOL_NAMES[props.protocol] ?? props.protocol) &&
    (!hasPorts(props.protocol) || (rule.FromPort === props.fromPort && rule.ToPort === props.toPort)) &&
    rule.CidrIpv4 === props.cidr &&
    rule.CidrIpv6 === props.ipv6Cidr &&
    rule.PrefixListId === props.prefixList &&
    rule.ReferencedGroupInfo?.GroupId === props.sourceGroup
  );
}

const PROTOCOL_NAMES: Readonly<Record<string, string>> = { 6: 'tcp', 17: 'udp', 1: 'icmp', 58: 'icmpv6' };

function permission(props: RuleProps): IpPermission {
  return {
    IpProtocol: props.protocol,
    ...(props.protocol === '-1' ? {} : { FromPort: props.fromPort, ToPort: props.toPort }),
    ...(props.cidr === undefined ? {} : { IpRanges: [{ CidrIp: props.cidr }] }),
    ...(props.ipv6Cidr === undefined ? {} : { Ipv6Ranges: [{ CidrIpv6: props.ipv6Cidr }] }),
    ...(props.prefixList === undefined ? {} : { PrefixListIds: [{ PrefixListId: props.prefixList }] }),
    ...(props.sourceGroup === undefined ? {} : { UserIdGroupPairs: [{ GroupId: props.sourceGroup }] }),
  };
}

/**
 * A rule has the name of its task, so that rules that are no longer wanted can be told apart from rules that others
 * added.
 */
export const securityGroupRuleHandler = resourceHandler<'aws/SecurityGroupRule', SecurityGroupRule>({
  kind: 'aws/SecurityGroupRule',
  noun: 'security group rule',
  within: ['securityGroup', 'sourceGroup'],
  async find({ props }, aws) {
    const group = props.securityGroup;
    const rules = await aws.rules.of(group, () => rulesOfGroup(aws, group));
    return rules.find((rule) => matches(props, rule));
  },
  wanted: () => ({}),
  present: () => ({}),
  async create({ name, props }, aws) {
    const input = {
      GroupId: props.securityGroup,
      IpPermissions: [permission(props)],
      TagSpecifications: [
        {
          ResourceType: 'security-group-rule' as const,
          Tags: tagList({ Name: name, [CLUSTER_TAG]: aws.clusterName }),
        },
      ],
    };
    try {
      await (props.direction === 'ingress'
        ? aws.ec2.send(new AuthorizeSecurityGroupIngressCommand(input))
        : aws.ec2.send(new AuthorizeSecurityGroupEgressCommand(input)));
    } catch (thrown) {
      // An earlier response was lost, or the list was slightly old.
      if (errorName(thrown) !== 'InvalidPermission.Duplicate') throw thrown;
    } finally {
      aws.rules.forget(props.securityGroup);
    }
  },
  async owned(aws) {
    const groups = await ownGroups(aws);
    const rules = await rulesOf(aws, groups);
    const ids = new Set(groups);
    return rules
      .filter(({ GroupId }) => ids.has(GroupId ?? ''))
      .filter(({ Tags }) => aws.everything || tagsOf(Tags)[CLUSTER_TAG] === aws.clusterName)
      .map(({ SecurityGroupRuleId = '', GroupId = '', IsEgress = false, Tags }) => ({
        name: tagsOf(Tags)['Name'] ?? SecurityGroupRuleId,
        description: `security group rule ${tagsOf(Tags)['Name'] ?? ''} (${SecurityGroupRuleId} of ${GroupId})`,
        handle: [GroupId, SecurityGroupRuleId, IsEgress ? 'egress' : 'ingress'].join(' '),
      }));
  },
  async remove({ handle }, aws) {
    const [group = '', rule = '', direction] = handle.split(' ');
    const input = { GroupId: group, SecurityGroupRuleIds: [rule] };
    try {
      await (direction === 'egress'
        ? aws.ec2.send(new RevokeSecurityGroupEgressCommand(input))
        : aws.ec2.send(new RevokeSecurityGroupIngressCommand(input)));
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown;
    } finally {
      aws.rules.forget(group);
    }
  },
});
