import {
  AllocateAddressCommand,
  AttachInternetGatewayCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  DeleteInternetGatewayCommand,
  DeleteNatGatewayCommand,
  DescribeAddressesCommand,
  DescribeInternetGatewaysCommand,
  DetachInternetGatewayCommand,
  type NatGateway,
  paginateDescribeEgressOnlyInternetGateways,
  paginateDescribeInternetGateways,
  paginateDescribeNatGateways,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2';
import { NotYet, PermanentError } from '@kopsctl/tasks/failure.ts';
import { asked, type Ec2Found, ec2Handler, type Elsewhere } from './ec2-resource.ts';
import { tagsOf } from '../../node/tag-list.ts';

/** The gateway that a shared VPC must have already, because it is its owner's. */
const ofSharedVpc = (noun: string, vpc: string, how: string): Elsewhere => ({
  filters: [{ Name: 'attachment.vpc-id', Values: [vpc] }],
  absent: new PermanentError({
    what: `use the ${noun} of the VPC ${vpc}`,
    why: 'it has none, and kopsctl does not create one in a shared VPC',
    next: how,
  }),
});

interface Attached extends Ec2Found {
  readonly vpcs: readonly string[];
}

export const internetGatewayHandler = ec2Handler<'aws/InternetGateway', Attached>({
  kind: 'aws/InternetGateway',
  noun: 'internet gateway',
  isMadeBare: true,
  type: 'internet-gateway',
  async load(aws, query) {
    const found: Attached[] = [];
    const pages = paginateDescribeInternetGateways({ client: aws.ec2 }, asked(query, 'InternetGatewayIds'));
    for await (const page of pages) {
      for (const { InternetGatewayId, Tags, Attachments = [] } of page.InternetGateways ?? []) {
        found.push({
          id: InternetGatewayId ?? '',
          tags: tagsOf(Tags),
          vpcs: Attachments.flatMap(({ VpcId }) => VpcId ?? []),
        });
      }
    }
    return found;
  },
  elsewhere: ({ shared, vpc }) =>
    shared
      ? ofSharedVpc(
          'internet gateway',
          vpc,
          `run aws ec2 create-internet-gateway and aws ec2 attach-internet-gateway --vpc-id ${vpc}, or set egress: External for all subnets`,
        )
      : undefined,
  wanted: ({ vpc }) => ({ vpc }),
  present: ({ vpcs }) => ({ vpc: vpcs[0] ?? '' }),
  async create(_props, aws, TagSpecifications) {
    const { InternetGateway: made } = await aws.ec2Once.send(new CreateInternetGatewayCommand({ TagSpecifications }));
    return made?.InternetGatewayId;
  },
  async update({ vpc: VpcId }, { id: InternetGatewayId, vpcs }, _changes, aws) {
    for (const other of vpcs) {
      await aws.ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId: other }));
    }
    await aws.ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId, VpcId }));
  },
  async remove(InternetGatewayId, aws) {
    const { InternetGateways: [gateway] = [] } = await aws.ec2.send(
      new DescribeInternetGatewaysCommand({ InternetGatewayIds: [InternetGatewayId] }),
    );
    for (const { VpcId } of gateway?.Attachments ?? []) {
      await aws.ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId }));
    }
    await aws.ec2.send(new DeleteInternetGatewayCommand({ InternetGatewayId }));
  },
});

export const egressOnlyInternetGatewayHandler = ec2Handler<'aws/EgressOnlyInternetGateway', Ec2Found>({
  kind: 'aws/EgressOnlyInternetGateway',
  noun: 'egress-only internet gateway',
  type: 'egress-only-internet-gateway',
  async load(aws, query) {
    const found: (Ec2Found & { readonly vpcs: readonly string[] })[] = [];
    // The call filters by tags but not by VPC.
    const [byVpc] = 'filters' in query ? query.filters.filter(({ Name }) => Name === 'attachment.vpc-id') : [];
    const input = byVpc === undefined ? asked(query, 'EgressOnlyInternetGatewayIds') : {};
    for await (const page of paginateDescribeEgressOnlyInternetGateways({ client: aws.ec2 }, input)) {
      for (const { EgressOnlyInternetGatewayId, Tags, Attachments = [] } of page.EgressOnlyInternetGateways ?? []) {
        found.push({
          id: EgressOnlyInternetGatewayId ?? '',
          tags: tagsOf(Tags),
          vpcs: Attachments.flatMap(({ VpcId }) => VpcId ?? []),
        });
      }
    }
    return byVpc === undefined ? found : found.filter(({ vpcs }) => vpcs.some((vpc) => byVpc.Values?.includes(vpc)));
  },
  elsewhere: ({ shared, vpc }) =>
    shared
      ? ofSharedVpc(
          'egress-only internet gateway',
          vpc,
          `run aws ec2 create-egress-only-internet-gateway --vpc-id ${vpc}, or set egress: External for its private subnets`,
        )
      : undefined,
  async create({ vpc }, aws, TagSpecifications) {
    const { EgressOnlyInternetGateway: made } = await aws.ec2Once.send(
      new CreateEgressOnlyInternetGatewayCommand({ VpcId: vpc, TagSpecifications }),
    );
    return made?.EgressOnlyInternetGatewayId;
  },
  remove: async (EgressOnlyInternetGatewayId, aws) => {
    await aws.ec2.send(new DeleteEgressOnlyInternetGatewayCommand({ EgressOnlyInternetGatewayId }));
  },
});

const notAllocated = (address: string) =>
  new PermanentError({
    what: `use the elastic IP ${address}`,
    why: `this account has no elastic IP ${address} in this region`,
    next: 'check publicIP of the subnet, the region and the credentials',
  });

export const elasticIpHandler = ec2Handler<'aws/ElasticIp', Ec2Found>({
  kind: 'aws/ElasticIp',
  noun: 'elastic IP',
  type: 'elastic-ip',
  async load(aws, query) {
    const { Addresses = [] } = await aws.ec2.send(new DescribeAddressesCommand(asked(query, 'AllocationIds')));
    return Addresses.map(({ AllocationId, Tags }) => ({ id: AllocationId ?? '', tags: tagsOf(Tags) }));
  },
  elsewhere: (props) =>
    'sharedAddress' in props
      ? {
          filters: [{ Name: 'public-ip', Values: [props.sharedAddress] }],
          absent: notAllocated(props.sharedAddress),
        }
      : undefined,
  async create(_props, aws, TagSpecifications) {
    const { AllocationId } = await aws.ec2Once.send(new AllocateAddressCommand({ Domain: 'vpc', TagSpecifications }));
    return AllocationId;
  },
  remove: async (AllocationId, aws) => {
    await aws.ec2.send(new ReleaseAddressCommand({ AllocationId }));
  },
});

interface FoundNatGateway extends Ec2Found {
  readonly gateway: NatGateway;
}

export const natGatewayHandler = ec2Handler<'aws/NatGateway', FoundNatGateway>({
  kind: 'aws/NatGateway',
  noun: 'NAT gateway',
  type: 'natgateway',
  async load(aws, query) {
    const found: FoundNatGateway[] = [];
    const input = 'ids' in query ? { NatGatewayIds: query.ids } : { Filter: query.filters };
    for await (const page of paginateDescribeNatGateways({ client: aws.ec2 }, input)) {
      for (const gateway of page.NatGateways ?? []) {
        found.push({ id: gateway.NatGatewayId ?? '', tags: tagsOf(gateway.Tags), gateway });
      }
    }
    return found;
  },
  // A deleted gateway is listed for an hour; a failed one never works and is replaced.
  isGone: ({ gateway }) => ['deleted', 'failed'].includes(gateway.State ?? ''),
  fateOf: ({ gateway: { State, FailureCode, FailureMessage } }) =>
    State === 'failed' ? `failed: ${[FailureCode, FailureMessage].filter(Boolean).join(': ')}` : 'was deleted',
  fixed: ['subnet', 'elasticIp'],
  wanted: (props) =>
    'sharedId' in props ? {} : { subnet: props.subnet, elasticIp: props.elasticIp, state: 'available' },
  present: ({ gateway }) => ({
    subnet: gateway.SubnetId ?? '',
    elasticIp: gateway.NatGatewayAddresses?.[0]?.AllocationId ?? '',
    state: gateway.State ?? '',
  }),
  async create(props, aws, TagSpecifications) {
    if ('sharedId' in props) return undefined;
    const { NatGateway: made } = await aws.ec2Once.send(
      new CreateNatGatewayCommand({ SubnetId: props.subnet, AllocationId: props.elasticIp, TagSpecifications }),
    );
    return made?.NatGatewayId;
  },
  update: async (_props, { id, gateway }) => {
    throw new NotYet(`NAT gateway ${id} is ${gateway.State ?? 'unknown'}`, 'this takes a minute or two');
  },
  async remove(id, aws) {
    const state = async () => (await natGateway(id)).State;
    const natGateway = async (NatGatewayId: string): Promise<NatGateway> => {
      for await (const page of paginateDescribeNatGateways({ client: aws.ec2 }, { NatGatewayIds: [NatGatewayId] })) {
        for (const gateway of page.NatGateways ?? []) return gateway;
      }
      return { State: 'deleted' };
    };
    if ((await state()) === 'deleted') return;
    await aws.ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: id }));
    // Its address and its subnet are in use until it is deleted.
    if ((await state()) !== 'deleted') throw new NotYet(`NAT gateway ${id} is being deleted`, 'this takes a minute');
  },
});
