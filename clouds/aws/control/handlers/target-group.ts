import {
  CreateTargetGroupCommand,
  DeleteTargetGroupCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  type DescribeTargetGroupsInput,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  paginateDescribeTargetGroups,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Tags } from '../../node/tag-list.ts';
import { kept, tagList } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { isOwnTargetGroup } from '../own-names.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { amongAllOr } from './ec2-resource.ts';
import { resourceHandler } from './resource-handler.ts';
import { type Attributes, attributesOf, orNothing, ownedArns, tag, tagsOfOne } from './load-balancing-tags.ts';
import { HEALTH_CHECK_SECONDS, TARGET_GROUP_ATTRIBUTES } from '../defaults.ts';

interface FoundTargetGroup {
  readonly group: TargetGroup;
  readonly attributes: Attributes;
  readonly tags: Tags;
}

export const targetGroupHandler = resourceHandler<'aws/TargetGroup', FoundTargetGroup>({
  kind: 'aws/TargetGroup',
  noun: 'target group',
  async find({ props }, aws) {
    const group = await lookFor(props, aws);
    const arn = group?.TargetGroupArn;
    if (group === undefined || arn === undefined) {
      if ('sharedId' in props) throw new Error(`there is no target group ${props.sharedId}`);
      return undefined;
    }
    const [{ Attributes }, tags] = await Promise.all([
      aws.loadBalancing.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn: arn })),
      tagsOfOne(aws, arn, async () => arnsOf(await allTargetGroups(aws))),
    ]);
    return { group, attributes: attributesOf(Attributes), tags };
  },
  isMadeBare: true,
  fixed: ['vpc', 'protocol', 'port'],
  wanted: (props) =>
    'sharedId' in props
      ? {}
      : {
          vpc: props.vpc,
          protocol: props.protocol,
          port: props.port,
          healthProtocol: props.healthPath === undefined ? 'TCP' : 'HTTPS',
          ...(props.healthPath === undefined ? {} : { healthPath: props.healthPath }),
          healthInterval: HEALTH_CHECK_SECONDS,
          healthy: 2,
          unhealthy: 2,
          attributes: TARGET_GROUP_ATTRIBUTES,
          tags: props.tags,
        },
  present: ({ group, attributes, tags }, props) =>
    'sharedId' in props
      ? {}
      : {
          vpc: group.VpcId ?? '',
          protocol: group.Protocol ?? '',
          port: group.Port ?? 0,
          healthProtocol: group.HealthCheckProtocol ?? '',
          ...(props.healthPath === undefined || group.HealthCheckPath === undefined
            ? {}
            : { healthPath: group.HealthCheckPath }),
          healthInterval: group.HealthCheckIntervalSeconds ?? 0,
          healthy: group.HealthyThresholdCount ?? 0,
          unhealthy: group.UnhealthyThresholdCount ?? 0,
          attributes: kept(TARGET_GROUP_ATTRIBUTES, attributes),
          tags: kept(props.tags, tags),
        },
  async create({ props }, aws) {
    if ('sharedId' in props) return;
    await aws.loadBalancingOnce.send(
      new CreateTargetGroupCommand({
        Name: props.name,
        VpcId: props.vpc,
        Protocol: props.protocol,
        Port: props.port,
        TargetType: 'instance',
        ...healthCheck(props.healthPath),
        Tags: tagList(props.tags),
      }),
    );
  },
  async update({ props }, { group: { TargetGroupArn } }, changes, aws) {
    if ('sharedId' in props) return;
    const changed = (beginning: string) => changes.some(({ path }) => path.startsWith(beginning));
    if (changed('health') || changed('unhealthy')) {
      await aws.loadBalancing.send(new ModifyTargetGroupCommand({ TargetGroupArn, ...healthCheck(props.healthPath) }));
    }
    if (changed('attributes')) {
      const Attributes = tagList(TARGET_GROUP_ATTRIBUTES);
      await aws.loadBalancing.send(new ModifyTargetGroupAttributesCommand({ TargetGroupArn, Attributes }));
    }
    if (changed('tags')) await tag(aws, TargetGroupArn, props.tags);
  },
  outputs: ({ group }) => ({ arn: group.TargetGroupArn ?? '' }),
  async owned(aws) {
    return (await ownedArns(aws, arnsOf(await allTargetGroups(aws))))
      .filter(({ tags }) => aws.everything || isOwnTargetGroup(tags, aws.clusterName))
      .map(({ arn, tags }) => ({
        name: tags['Name'] ?? arn,
        description: `target group ${tags['Name'] ?? ''} (${arn})`,
        handle: arn,
      }));
  },
  remove: async ({ handle }, aws) => {
    await aws.loadBalancing.send(new DeleteTargetGroupCommand({ TargetGroupArn: handle }));
  },
});

/** All of the account, and of the region: they cannot be listed by their tags. */
async function allTargetGroups(aws: AwsCloud): Promise<readonly TargetGroup[]> {
  const found: TargetGroup[] = [];
  for await (const page of paginateDescribeTargetGroups({ client: aws.loadBalancing }, {})) {
    found.push(...(page.TargetGroups ?? []));
  }
  return found;
}

const arnsOf = (groups: readonly TargetGroup[]): readonly string[] =>
  groups.flatMap(({ TargetGroupArn }) => TargetGroupArn ?? []);

async function lookFor(props: PropsOf<'aws/TargetGroup'>, aws: AwsCloud): Promise<TargetGroup | undefined> {
  const describe = (input: DescribeTargetGroupsInput) =>
    orNothing(
      aws.loadBalancing.send(new DescribeTargetGroupsCommand(input)).then(({ TargetGroups = [] }) => TargetGroups),
    );
  return 'sharedId' in props
    ? (await describe({ TargetGroupArns: [props.sharedId] }))[0]
    : amongAllOr(
        aws,
        () => allTargetGroups(aws),
        ({ TargetGroupName }) => TargetGroupName === props.name,
        () => describe({ Names: [props.name] }),
      );
}

const healthCheck = (path: string | undefined) => ({
  HealthCheckProtocol: path === undefined ? ('TCP' as const) : ('HTTPS' as const),
  ...(path === undefined ? {} : { HealthCheckPath: path }),
  HealthCheckIntervalSeconds: HEALTH_CHECK_SECONDS,
  HealthyThresholdCount: 2,
  UnhealthyThresholdCount: 2,
});
