import {
  AddTagsCommand,
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  type Listener,
  type LoadBalancer,
  ModifyListenerCommand,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  paginateDescribeListeners,
  paginateDescribeLoadBalancers,
  paginateDescribeTargetGroups,
  SetIpAddressTypeCommand,
  SetSecurityGroupsCommand,
  SetSubnetsCommand,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Tags } from '../kinds/output.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../tag-list.ts';
import type { PropsOf } from '../kinds/resolved.ts';
import { resourceHandler } from './resource-handler.ts';

type Attributes = Readonly<Record<string, string>>;

const attributesOf = (
  list: readonly { Key?: string | undefined; Value?: string | undefined }[] | undefined,
): Attributes => tagsOf(list);

/** DescribeTags takes so many at once. */
const TAGS_AT_ONCE = 20;

async function tagsByArn(aws: AwsCloud, arns: readonly string[]): Promise<ReadonlyMap<string, Tags>> {
  const found = new Map<string, Tags>();
  for (let from = 0; from < arns.length; from += TAGS_AT_ONCE) {
    const { TagDescriptions = [] } = await aws.loadBalancing.send(
      new DescribeTagsCommand({ ResourceArns: arns.slice(from, from + TAGS_AT_ONCE) }),
    );
    for (const { ResourceArn = '', Tags } of TagDescriptions) found.set(ResourceArn, tagsOf(Tags));
  }
  return found;
}

/** Those of the cluster, by their tags. */
async function ownedArns(aws: AwsCloud, arns: readonly string[]): Promise<readonly { arn: string; tags: Tags }[]> {
  const tags = await tagsByArn(aws, arns);
  return arns.map((arn) => ({ arn, tags: tags.get(arn) ?? {} })).filter((one) => isOwned(aws, one.tags));
}

async function orNothing<Item>(question: Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await question;
  } catch (thrown) {
    if (isNotFound(thrown)) return [];
    throw thrown;
  }
}

interface FoundLoadBalancer {
  readonly balancer: LoadBalancer;
  readonly attributes: Attributes;
  readonly tags: Tags;
}

const CROSS_ZONE = 'load_balancing.cross_zone.enabled';
const ACCESS_LOG = 'access_logs.s3';

export const loadBalancerHandler = resourceHandler<'aws/LoadBalancer', FoundLoadBalancer>({
  kind: 'aws/LoadBalancer',
  noun: 'load balancer',
  async find({ props }, aws) {
    const [balancer] = await orNothing(
      aws.loadBalancing
        .send(new DescribeLoadBalancersCommand({ Names: [props.name] }))
        .then(({ LoadBalancers = [] }) => LoadBalancers),
    );
    const arn = balancer?.LoadBalancerArn;
    if (balancer === undefined || arn === undefined) return undefined;
    const [{ Attributes }, tags] = await Promise.all([
      aws.loadBalancing.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn })),
      tagsByArn(aws, [arn]),
    ]);
    return { balancer, attributes: attributesOf(Attributes), tags: tags.get(arn) ?? {} };
  },
  isMadeBare: true,
  fixed: ['internal'],
  wanted: ({ internal, dualStack, crossZone, securityGroups, subnets, accessLog, tags }) => ({
    internal,
    dualStack,
    crossZone,
    securityGroups: securityGroups.toSorted(),
    subnets: subnets.map(({ subnet }) => subnet).toSorted(),
    accessLog: accessLog === undefined ? '' : `${accessLog.bucket}/${accessLog.prefix ?? ''}`,
    tags,
  }),
  present: ({ balancer, attributes, tags }, props) => ({
    internal: balancer.Scheme === 'internal',
    dualStack: balancer.IpAddressType === 'dualstack',
    crossZone: attributes[CROSS_ZONE] === 'true',
    securityGroups: (balancer.SecurityGroups ?? []).toSorted(),
    subnets: (balancer.AvailabilityZones ?? []).flatMap(({ SubnetId }) => SubnetId ?? []).toSorted(),
    accessLog:
      attributes[`${ACCESS_LOG}.enabled`] === 'true'
        ? `${attributes[`${ACCESS_LOG}.bucket`] ?? ''}/${attributes[`${ACCESS_LOG}.prefix`] ?? ''}`
        : '',
    tags: kept(props.tags, tags),
  }),
  async create({ props }, aws) {
    await aws.loadBalancingOnce.send(
      new CreateLoadBalancerCommand({
        Name: props.name,
        Type: 'network',
        Scheme: props.internal ? 'internal' : 'internet-facing',
        IpAddressType: props.dualStack ? 'dualstack' : 'ipv4',
        SubnetMappings: mappings(props),
        SecurityGroups: [...props.securityGroups],
        Tags: tagList(props.tags),
      }),
    );
  },
  async update({ props }, { balancer }, changes, aws) {
    const LoadBalancerArn = balancer.LoadBalancerArn;
    const changed = new Set(changes.map(({ path }) => path.split(/[.[]/)[0]));
    if (changed.has('crossZone') || changed.has('accessLog')) {
      const log = props.accessLog;
      await aws.loadBalancing.send(
        new ModifyLoadBalancerAttributesCommand({
          LoadBalancerArn,
          Attributes: [
            { Key: CROSS_ZONE, Value: String(props.crossZone) },
            { Key: `${ACCESS_LOG}.enabled`, Value: String(log !== undefined) },
            ...(log === undefined
              ? []
              : [
                  { Key: `${ACCESS_LOG}.bucket`, Value: log.bucket },
                  { Key: `${ACCESS_LOG}.prefix`, Value: log.prefix ?? '' },
                ]),
          ],
        }),
      );
    }
    if (changed.has('subnets')) {
      await aws.loadBalancing.send(new SetSubnetsCommand({ LoadBalancerArn, SubnetMappings: mappings(props) }));
    }
    if (changed.has('dualStack')) {
      const IpAddressType = props.dualStack ? 'dualstack' : 'ipv4';
      await aws.loadBalancing.send(new SetIpAddressTypeCommand({ LoadBalancerArn, IpAddressType }));
    }
    if (changed.has('securityGroups')) {
      const SecurityGroups = [...props.securityGroups];
      await aws.loadBalancing.send(new SetSecurityGroupsCommand({ LoadBalancerArn, SecurityGroups }));
    }
    if (changed.has('tags')) await tag(aws, LoadBalancerArn, props.tags);
  },
  outputs: ({ balancer }) => ({
    arn: balancer.LoadBalancerArn ?? '',
    dnsName: balancer.DNSName ?? '',
    zoneId: balancer.CanonicalHostedZoneId ?? '',
  }),
  async owned(aws) {
    const arns: string[] = [];
    for await (const page of paginateDescribeLoadBalancers({ client: aws.loadBalancing }, {})) {
      arns.push(...(page.LoadBalancers ?? []).flatMap(({ LoadBalancerArn }) => LoadBalancerArn ?? []));
    }
    return (await ownedArns(aws, arns))
      .filter(({ tags }) => aws.everything || tags['Name'] !== undefined)
      .map(({ arn, tags }) => ({
        name: tags['Name'] ?? arn,
        description: `load balancer ${tags['Name'] ?? ''} (${arn})`,
        handle: arn,
      }));
  },
  remove: async ({ handle }, aws) => {
    await aws.loadBalancing.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: handle }));
  },
});

const mappings = ({ subnets }: PropsOf<'aws/LoadBalancer'>) =>
  subnets.map(({ subnet, allocationId, privateAddress }) => ({
    SubnetId: subnet,
    ...(allocationId === undefined ? {} : { AllocationId: allocationId }),
    ...(privateAddress === undefined ? {} : { PrivateIPv4Address: privateAddress }),
  }));

async function tag(aws: AwsCloud, arn: string | undefined, tags: Tags): Promise<void> {
  await aws.loadBalancing.send(new AddTagsCommand({ ResourceArns: [arn ?? ''], Tags: tagList(tags) }));
}

interface FoundTargetGroup {
  readonly group: TargetGroup;
  readonly attributes: Attributes;
  readonly tags: Tags;
}

/** A machine that leaves has its connections ended after half a minute (kops pkg/model/awsmodel/api_loadbalancer.go). */
const ATTRIBUTES: Attributes = {
  'deregistration_delay.connection_termination.enabled': 'true',
  'deregistration_delay.timeout_seconds': '30',
};

const SECONDS_BETWEEN_CHECKS = 10;

export const targetGroupHandler = resourceHandler<'aws/TargetGroup', FoundTargetGroup>({
  kind: 'aws/TargetGroup',
  noun: 'target group',
  async find({ props }, aws) {
    const question = 'sharedId' in props ? { TargetGroupArns: [props.sharedId] } : { Names: [props.name] };
    const [group] = await orNothing(
      aws.loadBalancing.send(new DescribeTargetGroupsCommand(question)).then(({ TargetGroups = [] }) => TargetGroups),
    );
    const arn = group?.TargetGroupArn;
    if (group === undefined || arn === undefined) {
      if ('sharedId' in props) throw new Error(`there is no target group ${props.sharedId}`);
      return undefined;
    }
    const [{ Attributes }, tags] = await Promise.all([
      aws.loadBalancing.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn: arn })),
      tagsByArn(aws, [arn]),
    ]);
    return { group, attributes: attributesOf(Attributes), tags: tags.get(arn) ?? {} };
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
          healthInterval: SECONDS_BETWEEN_CHECKS,
          healthy: 2,
          unhealthy: 2,
          attributes: ATTRIBUTES,
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
          attributes: kept(ATTRIBUTES, attributes),
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
      const Attributes = tagList(ATTRIBUTES);
      await aws.loadBalancing.send(new ModifyTargetGroupAttributesCommand({ TargetGroupArn, Attributes }));
    }
    if (changed('tags')) await tag(aws, TargetGroupArn, props.tags);
  },
  outputs: ({ group }) => ({ arn: group.TargetGroupArn ?? '' }),
  async owned(aws) {
    const arns: string[] = [];
    for await (const page of paginateDescribeTargetGroups({ client: aws.loadBalancing }, {})) {
      arns.push(...(page.TargetGroups ?? []).flatMap(({ TargetGroupArn }) => TargetGroupArn ?? []));
    }
    return (await ownedArns(aws, arns))
      .filter(({ tags }) => aws.everything || tags['Name'] !== undefined)
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

const healthCheck = (path: string | undefined) => ({
  HealthCheckProtocol: path === undefined ? ('TCP' as const) : ('HTTPS' as const),
  ...(path === undefined ? {} : { HealthCheckPath: path }),
  HealthCheckIntervalSeconds: SECONDS_BETWEEN_CHECKS,
  HealthyThresholdCount: 2,
  UnhealthyThresholdCount: 2,
});

/** It goes with its load balancer. */
export const listenerHandler = resourceHandler<'aws/Listener', Listener>({
  kind: 'aws/Listener',
  noun: 'listener',
  within: ['loadBalancer'],
  async find({ props }, aws) {
    const found = await orNothing(
      (async () => {
        const all: Listener[] = [];
        const input = { LoadBalancerArn: props.loadBalancer };
        for await (const page of paginateDescribeListeners({ client: aws.loadBalancing }, input)) {
          all.push(...(page.Listeners ?? []));
        }
        return all;
      })(),
    );
    return found.find(({ Port }) => Port === props.port);
  },
  wanted: ({ protocol, certificate, sslPolicy, targetGroup }) => ({
    protocol,
    targetGroup,
    ...(certificate === undefined ? {} : { certificate }),
    ...(sslPolicy === undefined ? {} : { sslPolicy }),
  }),
  present: ({ Protocol = '', Certificates, SslPolicy, DefaultActions }, { certificate, sslPolicy }) => ({
    protocol: Protocol,
    targetGroup: DefaultActions?.[0]?.TargetGroupArn ?? '',
    ...(certificate === undefined || Certificates?.[0]?.CertificateArn === undefined
      ? {}
      : { certificate: Certificates[0].CertificateArn }),
    ...(sslPolicy === undefined || SslPolicy === undefined ? {} : { sslPolicy: SslPolicy }),
  }),
  async create({ props }, aws) {
    await aws.loadBalancing.send(
      new CreateListenerCommand({ LoadBalancerArn: props.loadBalancer, Port: props.port, ...listening(props) }),
    );
  },
  async update({ props }, { ListenerArn }, _changes, aws) {
    await aws.loadBalancing.send(new ModifyListenerCommand({ ListenerArn, Port: props.port, ...listening(props) }));
  },
});

const listening = ({ protocol, certificate, sslPolicy, targetGroup }: PropsOf<'aws/Listener'>) => ({
  Protocol: protocol,
  ...(certificate === undefined ? {} : { Certificates: [{ CertificateArn: certificate }] }),
  ...(sslPolicy === undefined ? {} : { SslPolicy: sslPolicy }),
  DefaultActions: [{ Type: 'forward' as const, TargetGroupArn: targetGroup }],
});
