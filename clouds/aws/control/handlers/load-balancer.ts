import {
  CreateLoadBalancerCommand,
  DeleteLoadBalancerCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  type LoadBalancer,
  ModifyLoadBalancerAttributesCommand,
  paginateDescribeLoadBalancers,
  SetIpAddressTypeCommand,
  SetSecurityGroupsCommand,
  SetSubnetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Tags } from '../../node/tag-list.ts';
import { kept, tagList } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { isOwnLoadBalancer } from '../own-names.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { amongAllOr } from './ec2-resource.ts';
import { resourceHandler } from './resource-handler.ts';
import { type Attributes, attributesOf, orNothing, ownedArns, tag, tagsOfOne } from './load-balancing-tags.ts';

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
    const balancer = await amongAllOr(
      aws,
      () => allLoadBalancers(aws),
      ({ LoadBalancerName }) => LoadBalancerName === props.name,
      () =>
        orNothing(
          aws.loadBalancing
            .send(new DescribeLoadBalancersCommand({ Names: [props.name] }))
            .then(({ LoadBalancers = [] }) => LoadBalancers),
        ),
    );
    const arn = balancer?.LoadBalancerArn;
    if (balancer === undefined || arn === undefined) return undefined;
    const [{ Attributes }, tags] = await Promise.all([
      aws.loadBalancing.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn })),
      tagsOfOne(aws, arn, async () => arnsOf(await allLoadBalancers(aws))),
    ]);
    return { balancer, attributes: attributesOf(Attributes), tags };
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
    return (await ownedArns(aws, arnsOf(await allLoadBalancers(aws))))
      .filter(({ tags }) => aws.everything || isOwnLoadBalancer(tags, aws.clusterName))
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

/** All of the account, and of the region: they cannot be listed by their tags. */
async function allLoadBalancers(aws: AwsCloud): Promise<readonly LoadBalancer[]> {
  const found: LoadBalancer[] = [];
  for await (const page of paginateDescribeLoadBalancers({ client: aws.loadBalancing }, {})) {
    found.push(...(page.LoadBalancers ?? []));
  }
  return found;
}

const arnsOf = (balancers: readonly LoadBalancer[]): readonly string[] =>
  balancers.flatMap(({ LoadBalancerArn }) => LoadBalancerArn ?? []);

const mappings = ({ subnets }: PropsOf<'aws/LoadBalancer'>) =>
  subnets.map(({ subnet, allocationId, privateAddress }) => ({
    SubnetId: subnet,
    ...(allocationId === undefined ? {} : { AllocationId: allocationId }),
    ...(privateAddress === undefined ? {} : { PrivateIPv4Address: privateAddress }),
  }));
