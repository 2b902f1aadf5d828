import { tagList } from '../../node/tag-list.ts';
import { attachedGateways } from './attached-gateways.ts';
import { type CfnKinds, getAtt, logicalId, ref } from './kind.ts';

/** The most ranges that Fn::Cidr makes. A VPC has a /56, which has as many ranges of /64. */
const IPV6_PARTS = 256;

const sharedRange = (name: string): string => logicalId('SharedVpcIpv6Cidr', name);
const sharedGateway = (name: string): string => logicalId('SharedGateway', name);
const sharedAddress = (name: string): string => logicalId('SharedAddress', name);

export const networkKinds: Pick<
  CfnKinds,
  | 'aws/Vpc'
  | 'aws/VpcCidrBlock'
  | 'aws/DhcpOptions'
  | 'aws/DhcpOptionsAssociation'
  | 'aws/InternetGateway'
  | 'aws/EgressOnlyInternetGateway'
  | 'aws/Subnet'
  | 'aws/RouteTable'
  | 'aws/Route'
  | 'aws/RouteTableAssociation'
  | 'aws/ElasticIp'
  | 'aws/NatGateway'
> = {
  'aws/Vpc': {
    // A template cannot look it up either.
    parameters: (props, name, { tasks }) =>
      'sharedId' in props && tasks('aws/Subnet').some(({ props: subnet }) => 'vpcIpv6Cidr' in subnet)
        ? [{ id: sharedRange(name), type: 'String', description: 'The IPv6 range of the shared VPC' }]
        : [],
    resources: (name, props, { idOf, token }) =>
      'sharedId' in props
        ? []
        : [
            {
              type: 'AWS::EC2::VPC',
              properties: {
                CidrBlock: props.cidr,
                EnableDnsHostnames: props.enableDnsHostnames,
                EnableDnsSupport: props.enableDnsSupport,
                Tags: tagList(props.tags),
              },
            },
            ...(props.amazonIpv6
              ? [
                  {
                    part: 'Ipv6',
                    type: 'AWS::EC2::VPCCidrBlock',
                    properties: { AmazonProvidedIpv6CidrBlock: true, VpcId: token(ref(idOf('aws/Vpc', name))) },
                  },
                ]
              : []),
          ],
    output: (output, id, props, name) => {
      if ('sharedId' in props) return output === 'ipv6Cidr' ? ref(sharedRange(name)) : props.sharedId;
      return output === 'ipv6Cidr' ? { 'Fn::Select': [0, getAtt(id, 'Ipv6CidrBlocks')] } : ref(id);
    },
  },
  'aws/VpcCidrBlock': {
    resources: (_name, { vpc, cidr }) => [
      { type: 'AWS::EC2::VPCCidrBlock', properties: { CidrBlock: cidr, VpcId: vpc } },
    ],
  },
  'aws/DhcpOptions': {
    resources: (_name, { domainName, domainNameServers, tags }) => [
      {
        type: 'AWS::EC2::DHCPOptions',
        properties: { DomainName: domainName, DomainNameServers: domainNameServers, Tags: tagList(tags) },
      },
    ],
  },
  'aws/DhcpOptionsAssociation': {
    resources: (_name, { vpc, dhcpOptions }) => [
      { type: 'AWS::EC2::VPCDHCPOptionsAssociation', properties: { DhcpOptionsId: dhcpOptions, VpcId: vpc } },
    ],
  },
  // The gateways of a shared VPC are parameters: a template cannot look them up.
  'aws/InternetGateway': {
    parameters: ({ shared }, name) =>
      shared
        ? [{ id: sharedGateway(name), type: 'String', description: 'The internet gateway of the shared VPC' }]
        : [],
    resources: (name, { shared, vpc, tags }, { idOf, token }) =>
      shared
        ? []
        : [
            { type: 'AWS::EC2::InternetGateway', properties: { Tags: tagList(tags) } },
            {
              part: 'Attachment',
              type: 'AWS::EC2::VPCGatewayAttachment',
              properties: { InternetGatewayId: token(ref(idOf('aws/InternetGateway', name))), VpcId: vpc },
            },
          ],
    output: (_output, id, { shared }, name) => ref(shared ? sharedGateway(name) : id),
  },
  'aws/EgressOnlyInternetGateway': {
    parameters: ({ shared, foundId }, name) =>
      shared && foundId === undefined
        ? [
            {
              id: `${sharedGateway(name)}Egress`,
              type: 'String',
              description: 'The egress-only internet gateway of the shared VPC',
            },
          ]
        : [],
    resources: (_name, { shared, vpc, tags }) =>
      shared ? [] : [{ type: 'AWS::EC2::EgressOnlyInternetGateway', properties: { VpcId: vpc, Tags: tagList(tags) } }],
    output: (_output, id, { shared, foundId }, name) =>
      shared ? (foundId ?? ref(`${sharedGateway(name)}Egress`)) : ref(id),
  },
  'aws/Subnet': {
    resources: (_name, props, { token, tasks, idOf }) => {
      if ('sharedId' in props) return [];
      const { cidr, ipv6Cidr, vpcIpv6Cidr, resourceNames } = props;
      const [, length, index] = /^\/(\d+)#([0-9a-f]+)$/.exec(ipv6Cidr ?? '') ?? [];
      const ipv6 =
        index !== undefined && vpcIpv6Cidr !== undefined
          ? token({
              'Fn::Select': [
                Number.parseInt(index, 16),
                { 'Fn::Cidr': [vpcIpv6Cidr, IPV6_PARTS, 128 - Number(length)] },
              ],
            })
          : ipv6Cidr;
      return [
        {
          type: 'AWS::EC2::Subnet',
          properties: {
            VpcId: props.vpc,
            AvailabilityZone: props.zone,
            CidrBlock: cidr,
            Ipv6CidrBlock: ipv6,
            Ipv6Native: cidr === undefined ? true : undefined,
            EnableDns64: cidr === undefined ? true : undefined,
            AssignIpv6AddressOnCreation: ipv6 === undefined ? undefined : true,
            PrivateDnsNameOptionsOnLaunch: resourceNames
              ? {
                  HostnameType: 'resource-name',
                  EnableResourceNameDnsARecord: cidr !== undefined,
                  EnableResourceNameDnsAAAARecord: ipv6 !== undefined,
                }
              : undefined,
            Tags: tagList(props.tags),
          },
          // The IPv6 range and the additional ranges belong to the VPC only once they are associated.
          after: [
            ...(ipv6 === undefined
              ? []
              : tasks('aws/Vpc')
                  .filter(({ props: vpc }) => !('sharedId' in vpc) && vpc.amazonIpv6)
                  .map(({ name }) => `${idOf('aws/Vpc', name)}Ipv6`)),
            ...tasks('aws/VpcCidrBlock').map(({ name }) => idOf('aws/VpcCidrBlock', name)),
          ],
        },
      ];
    },
    output: (_output, id, props) => ('sharedId' in props ? props.sharedId : ref(id)),
  },
  'aws/RouteTable': {
    resources: (_name, { vpc, tags }) => [
      { type: 'AWS::EC2::RouteTable', properties: { VpcId: vpc, Tags: tagList(tags) } },
    ],
  },
  'aws/Route': {
    resources: (_name, props, rendering) => [
      {
        type: 'AWS::EC2::Route',
        properties: {
          RouteTableId: props.routeTable,
          DestinationCidrBlock: props.cidr,
          DestinationIpv6CidrBlock: props.ipv6Cidr,
          GatewayId: props.internetGateway,
          EgressOnlyInternetGatewayId: props.egressOnlyInternetGateway,
          NatGatewayId: props.natGateway,
          InstanceId: props.instance,
          TransitGatewayId: props.transitGateway,
          VpcPeeringConnectionId: props.peeringConnection,
        },
        after: props.internetGateway === undefined ? [] : attachedGateways(rendering),
      },
    ],
  },
  'aws/RouteTableAssociation': {
    resources: (_name, { routeTable, subnet }) => [
      { type: 'AWS::EC2::SubnetRouteTableAssociation', properties: { RouteTableId: routeTable, SubnetId: subnet } },
    ],
  },
  'aws/ElasticIp': {
    parameters: (props, name) =>
      'sharedAddress' in props
        ? [
            {
              id: sharedAddress(name),
              type: 'String',
              description: `The allocation (eipalloc-…) of the elastic IP ${props.sharedAddress}`,
            },
          ]
        : [],
    resources: (_name, props, rendering) =>
      'tags' in props
        ? [
            {
              type: 'AWS::EC2::EIP',
              properties: { Domain: 'vpc', Tags: tagList(props.tags) },
              after: attachedGateways(rendering),
            },
          ]
        : [],
    output: (_output, id, props, name) => {
      if ('sharedAddress' in props) return ref(sharedAddress(name));
      return 'sharedId' in props ? props.sharedId : getAtt(id, 'AllocationId');
    },
  },
  'aws/NatGateway': {
    resources: (_name, props, rendering) =>
      'sharedId' in props
        ? []
        : [
            {
              type: 'AWS::EC2::NatGateway',
              properties: { AllocationId: props.elasticIp, SubnetId: props.subnet, Tags: tagList(props.tags) },
              after: attachedGateways(rendering),
            },
          ],
    output: (_output, id, props) => ('sharedId' in props ? props.sharedId : ref(id)),
  },
};
