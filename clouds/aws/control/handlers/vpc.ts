import {
  AssociateDhcpOptionsCommand,
  AssociateVpcCidrBlockCommand,
  CreateDhcpOptionsCommand,
  CreateVpcCommand,
  DeleteDhcpOptionsCommand,
  DeleteVpcCommand,
  DescribeVpcAttributeCommand,
  type DhcpOptions,
  ModifyVpcAttributeCommand,
  paginateDescribeDhcpOptions,
  paginateDescribeVpcs,
  type Vpc,
  type VpcIpv6CidrBlockAssociation,
} from '@aws-sdk/client-ec2';
import { NotYet } from '@kopsctl/tasks/failure.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { asked, type Ec2Found, ec2Handler, type Ec2Query } from './ec2-resource.ts';
import { tagsOf } from '../../node/tag-list.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundVpc extends Ec2Found {
  readonly cidr: string;
  readonly vpc: Vpc;
  readonly enableDnsHostnames: boolean;
  readonly enableDnsSupport: boolean;
}

async function describeVpcs(aws: AwsCloud, query: Ec2Query): Promise<readonly Vpc[]> {
  const found: Vpc[] = [];
  for await (const page of paginateDescribeVpcs({ client: aws.ec2 }, asked(query, 'VpcIds'))) {
    found.push(...(page.Vpcs ?? []));
  }
  return found;
}

async function loadVpcs(aws: AwsCloud, query: Ec2Query): Promise<readonly FoundVpc[]> {
  return Promise.all(
    (await describeVpcs(aws, query)).map(async (vpc) => {
      const attribute = async (Attribute: 'enableDnsHostnames' | 'enableDnsSupport') =>
        aws.ec2.send(new DescribeVpcAttributeCommand({ VpcId: vpc.VpcId, Attribute }));
      const [hostnames, support] = await Promise.all([attribute('enableDnsHostnames'), attribute('enableDnsSupport')]);
      return {
        id: vpc.VpcId ?? '',
        cidr: vpc.CidrBlock ?? '',
        tags: tagsOf(vpc.Tags),
        vpc,
        enableDnsHostnames: hostnames.EnableDnsHostnames?.Value ?? false,
        enableDnsSupport: support.EnableDnsSupport?.Value ?? false,
      };
    }),
  );
}

const isAssociated = ({ Ipv6CidrBlockState: state }: VpcIpv6CidrBlockAssociation): boolean =>
  state?.State === 'associated';

/** How far the IPv6 range of a VPC is, if it has or gets one. */
function ipv6StateOf({ Ipv6CidrBlockAssociationSet: blocks = [] }: Vpc): 'associated' | 'associating' | undefined {
  if (blocks.some(isAssociated)) return 'associated';
  return blocks.some(({ Ipv6CidrBlockState: state }) => state?.State === 'associating') ? 'associating' : undefined;
}

export const vpcHandler = ec2Handler<'aws/Vpc', FoundVpc>({
  kind: 'aws/Vpc',
  noun: 'VPC',
  type: 'vpc',
  load: loadVpcs,
  fixed: ['cidr', 'amazonIpv6'],
  isMadeBare: true,
  wanted: (props) =>
    'sharedId' in props
      ? {}
      : {
          cidr: props.cidr,
          amazonIpv6: props.amazonIpv6,
          // Subnets get parts of the range, which is theirs to use only then.
          ...(props.amazonIpv6 && { ipv6State: 'associated' }),
          enableDnsHostnames: props.enableDnsHostnames,
          enableDnsSupport: props.enableDnsSupport,
        },
  present({ cidr, vpc, enableDnsHostnames, enableDnsSupport }) {
    const ipv6State = ipv6StateOf(vpc);
    return {
      cidr,
      amazonIpv6: ipv6State !== undefined,
      ...(ipv6State !== undefined && { ipv6State }),
      enableDnsHostnames,
      enableDnsSupport,
    };
  },
  async create(props, aws, TagSpecifications) {
    if ('sharedId' in props) return undefined;
    const { Vpc: vpc } = await aws.ec2Once.send(
      new CreateVpcCommand({
        CidrBlock: props.cidr,
        AmazonProvidedIpv6CidrBlock: props.amazonIpv6,
        TagSpecifications,
      }),
    );
    return vpc?.VpcId;
  },
  async update(props, { id }, changes, aws) {
    if ('sharedId' in props) return;
    // The call accepts one attribute at a time, and DNS host names require DNS support.
    for (const [path, Field] of [
      ['enableDnsSupport', 'EnableDnsSupport'],
      ['enableDnsHostnames', 'EnableDnsHostnames'],
    ] as const) {
      if (!changes.some((change) => change.path === path)) continue;
      await aws.ec2.send(new ModifyVpcAttributeCommand({ VpcId: id, [Field]: { Value: props[path] } }));
    }
    if (changes.some(({ path }) => path === 'ipv6State')) {
      throw new NotYet(`the IPv6 range of ${id} is being associated`, 'this takes seconds');
    }
  },
  outputs: ({ id, vpc }) => {
    const ipv6Cidr = vpc.Ipv6CidrBlockAssociationSet?.find(isAssociated)?.Ipv6CidrBlock;
    return { id, ...(ipv6Cidr === undefined ? {} : { ipv6Cidr }) };
  },
  remove: async (VpcId, aws) => {
    await aws.ec2.send(new DeleteVpcCommand({ VpcId }));
  },
});

async function theVpc(aws: AwsCloud, id: string): Promise<Vpc> {
  const [vpc] = await describeVpcs(aws, { ids: [id] });
  if (vpc === undefined) throw new Error(`there is no VPC ${id}`);
  return vpc;
}

/** An additional range of a VPC. It is deleted with the VPC. */
export const vpcCidrBlockHandler = resourceHandler<'aws/VpcCidrBlock', { readonly state: string }>({
  kind: 'aws/VpcCidrBlock',
  noun: 'range of the VPC',
  within: ['vpc'],
  async find({ props }, aws) {
    const vpc = await theVpc(aws, props.vpc);
    const state = vpc.CidrBlockAssociationSet?.find(({ CidrBlock }) => CidrBlock === props.cidr)?.CidrBlockState?.State;
    return state === 'associated' || state === 'associating' ? { state } : undefined;
  },
  wanted: () => ({}),
  present: () => ({}),
  async create({ props }, aws) {
    await aws.ec2.send(new AssociateVpcCidrBlockCommand({ VpcId: props.vpc, CidrBlock: props.cidr }));
  },
});

interface FoundDhcpOptions extends Ec2Found {
  readonly options: DhcpOptions;
}

const valuesOf = ({ DhcpConfigurations }: DhcpOptions, key: string): readonly string[] =>
  DhcpConfigurations?.find(({ Key }) => Key === key)?.Values?.flatMap(({ Value }) => Value ?? []) ?? [];

export const dhcpOptionsHandler = ec2Handler<'aws/DhcpOptions', FoundDhcpOptions>({
  kind: 'aws/DhcpOptions',
  noun: 'DHCP options',
  type: 'dhcp-options',
  async load(aws, query) {
    const found: FoundDhcpOptions[] = [];
    for await (const page of paginateDescribeDhcpOptions({ client: aws.ec2 }, asked(query, 'DhcpOptionsIds'))) {
      for (const options of page.DhcpOptions ?? []) {
        found.push({ id: options.DhcpOptionsId ?? '', tags: tagsOf(options.Tags), options });
      }
    }
    return found;
  },
  fixed: ['domainName', 'domainNameServers'],
  wanted: ({ domainName, domainNameServers }) => ({ domainName, domainNameServers }),
  present: ({ options }) => ({
    domainName: valuesOf(options, 'domain-name').join(' '),
    domainNameServers: valuesOf(options, 'domain-name-servers'),
  }),
  async create({ domainName, domainNameServers }, aws, TagSpecifications) {
    const { DhcpOptions: made } = await aws.ec2Once.send(
      new CreateDhcpOptionsCommand({
        DhcpConfigurations: [
          { Key: 'domain-name', Values: [domainName] },
          { Key: 'domain-name-servers', Values: [...domainNameServers] },
        ],
        TagSpecifications,
      }),
    );
    return made?.DhcpOptionsId;
  },
  remove: async (DhcpOptionsId, aws) => {
    await aws.ec2.send(new DeleteDhcpOptionsCommand({ DhcpOptionsId }));
  },
});

/** Every VPC has DHCP options; these are the cluster's. */
export const dhcpOptionsAssociationHandler = resourceHandler<'aws/DhcpOptionsAssociation', Vpc>({
  kind: 'aws/DhcpOptionsAssociation',
  noun: 'DHCP options of the VPC',
  within: ['vpc'],
  find: ({ props }, aws) => theVpc(aws, props.vpc),
  wanted: ({ dhcpOptions }) => ({ dhcpOptions }),
  present: ({ DhcpOptionsId }) => ({ dhcpOptions: DhcpOptionsId ?? '' }),
  create: async () => {},
  async update({ props }, _found, _changes, aws) {
    await aws.ec2.send(new AssociateDhcpOptionsCommand({ VpcId: props.vpc, DhcpOptionsId: props.dhcpOptions }));
  },
});
