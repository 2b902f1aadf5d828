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
import { paginateDescribeNetworkInterfaces } from '@aws-sdk/client-ec2';
import { NotYet } from '@kopsctl/tasks/failure.ts';
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
  /** The private addresses of each of its network interfaces, where machines use them. */
  readonly interfaces: readonly (readonly string[])[];
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
    const [{ Attributes }, tags, interfaces] = await Promise.all([
      aws.loadBalancing.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn })),
      tagsOfOne(aws, arn, async () => arnsOf(await allLoadBalancers(aws))),
      props.leadsMachines ? interfacesOf(aws, arn) : [],
    ]);
    return { balancer, attributes: attributesOf(Attributes), tags, interfaces };
  },
  isMadeBare: true,
  fixed: ['internal'],
  wanted: ({ internal, dualStack, crossZone, securityGroups, subnets, accessLog, leadsMachines, tags }) => ({
    internal,
    dualStack,
    crossZone,
    securityGroups: securityGroups.toSorted(),
    subnets: subnets.map(({ subnet }) => subnet).toSorted(),
    accessLog: accessLog === undefined ? '' : `${accessLog.bucket}/${accessLog.prefix ?? ''}`,
    ...(leadsMachines && { addresses: 'in each subnet' }),
    tags,
  }),
  present: ({ balancer, attributes, interfaces, tags }, props) => ({
    internal: balancer.Scheme === 'internal',
    dualStack: balancer.IpAddressType === 'dualstack',
    crossZone: attributes[CROSS_ZONE] === 'true',
    securityGroups: (balancer.SecurityGroups ?? []).toSorted(),
    subnets: (balancer.AvailabilityZones ?? []).flatMap(({ SubnetId }) => SubnetId ?? []).toSorted(),
    accessLog:
      attributes[`${ACCESS_LOG}.enabled`] === 'true'
        ? `${attributes[`${ACCESS_LOG}.bucket`] ?? ''}/${attributes[`${ACCESS_LOG}.prefix`] ?? ''}`
        : '',
    ...(props.leadsMachines && {
      addresses: interfaces.length >= props.subnets.length || isReady(balancer) ? 'in each subnet' : 'not yet',
    }),
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
    if (changed.has('addresses')) {
      throw new NotYet(`load balancer ${props.name} does not have an address in each subnet`, 'this takes a minute');
    }
  },
  outputs: ({ balancer, interfaces }, { leadsMachines }) => ({
    arn: balancer.LoadBalancerArn ?? '',
    dnsName: balancer.DNSName ?? '',
    zoneId: balancer.CanonicalHostedZoneId ?? '',
    ...(leadsMachines && { addresses: interfaces.flat().toSorted().join(' ') || (balancer.DNSName ?? '') }),
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

const isReady = ({ State }: LoadBalancer): boolean => State?.Code === 'active';

/** Its network interfaces, which AWS describes as `ELB net/NAME/ID` (kops upup/pkg/fi/cloudup/awsup/aws_cloud.go). */
async function interfacesOf(aws: AwsCloud, arn: string): Promise<readonly (readonly string[])[]> {
  const description = `ELB ${arn.slice(arn.indexOf('loadbalancer/') + 'loadbalancer/'.length)}`;
  const filters = { Filters: [{ Name: 'description', Values: [description] }] };
  const found: (readonly string[])[] = [];
  for await (const page of paginateDescribeNetworkInterfaces({ client: aws.ec2 }, filters)) {
    for (const { PrivateIpAddress = [], Ipv6Addresses = [] } of page.NetworkInterfaces ?? []) {
      found.push([PrivateIpAddress, Ipv6Addresses.flatMap(({ Ipv6Address = [] }) => Ipv6Address)].flat());
    }
  }
  return found;
}

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
