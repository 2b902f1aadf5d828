import {
  CreateSubnetCommand,
  DeleteSubnetCommand,
  ModifySubnetAttributeCommand,
  paginateDescribeSubnets,
  type Subnet,
} from '@aws-sdk/client-ec2';
import { KNOWN_AFTER_APPLY } from '@kopsctl/tasks/task.ts';
import { addressPart } from '../ipv6-part.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { asked, type Ec2Found, ec2Handler } from './ec2-resource.ts';
import { tagsOf } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';

interface FoundSubnet extends Ec2Found {
  readonly subnet: Subnet;
}

type Own = Exclude<PropsOf<'aws/Subnet'>, { readonly sharedId: string }>;

/** `/64#a` is a part of the VPC's IPv6 range, which is known only once the VPC exists. */
function ipv6CidrOf({ ipv6Cidr, vpcIpv6Cidr }: Own): string | undefined {
  if (ipv6Cidr?.startsWith('/') !== true || vpcIpv6Cidr === undefined) return ipv6Cidr;
  return vpcIpv6Cidr === KNOWN_AFTER_APPLY ? vpcIpv6Cidr : addressPart(vpcIpv6Cidr, ipv6Cidr);
}

export const subnetHandler = ec2Handler<'aws/Subnet', FoundSubnet>({
  kind: 'aws/Subnet',
  noun: 'subnet',
  type: 'subnet',
  async load(aws, query) {
    const found: FoundSubnet[] = [];
    for await (const page of paginateDescribeSubnets({ client: aws.ec2 }, asked(query, 'SubnetIds'))) {
      for (const subnet of page.Subnets ?? []) {
        found.push({ id: subnet.SubnetId ?? '', tags: tagsOf(subnet.Tags), subnet });
      }
    }
    return found;
  },
  fixed: ['vpc', 'zone', 'cidr', 'ipv6Cidr'],
  wanted(props) {
    if ('sharedId' in props) return {};
    const ipv6Cidr = ipv6CidrOf(props);
    return {
      vpc: props.vpc,
      zone: props.zone,
      ...(props.cidr === undefined ? {} : { cidr: props.cidr }),
      ...(ipv6Cidr === undefined ? {} : { ipv6Cidr, assignIpv6: true }),
      ...(ipv6Cidr !== undefined && props.cidr === undefined ? { dns64: true } : {}),
      resourceNames: props.resourceNames,
    };
  },
  present({ subnet }, props) {
    if ('sharedId' in props) return {};
    const names = subnet.PrivateDnsNameOptionsOnLaunch;
    const ipv6 = subnet.Ipv6CidrBlockAssociationSet?.find(
      ({ Ipv6CidrBlockState: state }) => state?.State === 'associated' || state?.State === 'associating',
    )?.Ipv6CidrBlock;
    return {
      vpc: subnet.VpcId ?? '',
      zone: subnet.AvailabilityZone ?? '',
      ...(props.cidr === undefined || subnet.CidrBlock === undefined ? {} : { cidr: subnet.CidrBlock }),
      ...(ipv6 === undefined ? {} : { ipv6Cidr: ipv6, assignIpv6: subnet.AssignIpv6AddressOnCreation ?? false }),
      ...(ipv6 !== undefined && props.cidr === undefined ? { dns64: subnet.EnableDns64 ?? false } : {}),
      // The two attributes are set together; some servers that emulate this API keep only one.
      resourceNames: names?.HostnameType === 'resource-name' || names?.EnableResourceNameDnsARecord === true,
    };
  },
  async create(props, aws, TagSpecifications) {
    if ('sharedId' in props) return undefined;
    const ipv6 = ipv6CidrOf(props);
    const { Subnet: made } = await aws.ec2Once.send(
      new CreateSubnetCommand({
        VpcId: props.vpc,
        AvailabilityZone: props.zone,
        ...(props.cidr === undefined ? { Ipv6Native: true } : { CidrBlock: props.cidr }),
        ...(ipv6 === undefined ? {} : { Ipv6CidrBlock: ipv6 }),
        TagSpecifications,
      }),
    );
    if (made?.SubnetId !== undefined) await setAttributes(props, made.SubnetId, aws);
    return made?.SubnetId;
  },
  update: (props, { id }, _changes, aws) => setAttributes(props, id, aws),
  remove: async (SubnetId, aws) => {
    await aws.ec2.send(new DeleteSubnetCommand({ SubnetId }));
  },
});

async function setAttributes(props: PropsOf<'aws/Subnet'>, SubnetId: string, aws: AwsCloud): Promise<void> {
  if ('sharedId' in props) return;
  const { resourceNames, cidr } = props;
  // The call accepts one attribute at a time.
  const set = async (attribute: object) => aws.ec2.send(new ModifySubnetAttributeCommand({ SubnetId, ...attribute }));
  await set({ PrivateDnsHostnameTypeOnLaunch: resourceNames ? 'resource-name' : 'ip-name' });
  if (cidr !== undefined) await set({ EnableResourceNameDnsARecordOnLaunch: { Value: resourceNames } });
  if (ipv6CidrOf(props) === undefined) return;
  await set({ AssignIpv6AddressOnCreation: { Value: true } });
  await set({ EnableResourceNameDnsAAAARecordOnLaunch: { Value: resourceNames } });
  if (cidr === undefined) await set({ EnableDns64: { Value: true } });
}
