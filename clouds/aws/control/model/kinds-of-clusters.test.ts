import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { type Made, made } from './testdata/made-cluster.ts';

const propsOf = ({ tasks }: Made, kind: string, name: string): unknown =>
  tasks.find((task) => task.kind === kind && task.name === name)?.props;

const WITH_ROLES: ClusterSpec = {
  iam: { useServiceAccountExternalPermissions: true },
  serviceAccountIssuerDiscovery: { discoveryStore: 's3://discovery/demo', enableAWSOIDCProvider: true },
};

test('rules of security groups that the spec names have the names of kops', () => {
  const { named } = made(
    { api: { loadBalancer: { type: 'Public' } }, topology: { dns: { type: 'None' } } },
    { 'control-plane': { role: 'Master', securityGroupOverride: 'sg-1' }, nodes: { securityGroupOverride: 'sg-2' } },
  );
  const rules = named('aws/SecurityGroupRule');
  expect(rules).toContain('from-sg-1-ControlPlane-egress-all-0to0-0.0.0.0/0');
  expect(rules).toContain('from-sg-1-ControlPlane-ingress-all-0to0-sg-2-Node');
  expect(rules).toContain('from-sg-2-Node-ingress-tcp-1to2379-sg-1-ControlPlane');
  expect(rules).toContain('https-elb-to-master-sg-1');
  expect(rules).toContain('icmp-pmtu-cp-sg-1-to-elb');
  expect(rules).toContain('node-sg-2-to-elb');
  expect(named('aws/SecurityGroup').filter((name) => /^(masters|nodes)\./.test(name))).toEqual([]);
});

test('groups of Karpenter have neither a launch template nor an auto-scaling group', () => {
  const { named } = made(
    { ...WITH_ROLES, karpenter: { enabled: true }, warmPool: {} },
    { nodes: { role: 'Node', manager: 'Karpenter' } },
  );
  expect(named('aws/LaunchTemplate')).toEqual(['control-plane.masters.demo.example.com']);
  expect(named('aws/AutoscalingGroup')).toEqual(['control-plane.masters.demo.example.com']);
  expect(named('aws/LifecycleHook')).toEqual([]);
  expect(named('aws/IamRolePolicy')).toContain('karpenter.kube-system.sa.demo.example.com');
});

test('Karpenter may give its machines the role of nodes alone', () => {
  const all = made({ ...WITH_ROLES, karpenter: { enabled: true } }, { nodes: { manager: 'Karpenter' } });
  const policy = JSON.stringify(propsOf(all, 'aws/IamRolePolicy', 'karpenter.kube-system.sa.demo.example.com'));
  expect(policy).toContain(
    '"Action":"iam:PassRole","Effect":"Allow","Resource":["arn:aws:iam::*:role/nodes.demo.example.com"]',
  );
});

test('a node termination handler without a queue has a role where components have their own', () => {
  const nodeTerminationHandler = { enabled: true, enableSQSTerminationDraining: false };
  const policy = 'aws-node-termination-handler.kube-system.sa.demo.example.com';
  expect(made({ ...WITH_ROLES, nodeTerminationHandler }).named('aws/IamRolePolicy')).toContain(policy);
  expect(JSON.stringify(made({ nodeTerminationHandler }).tasks)).not.toContain('sqs:');
});

test('machines with GPUs are marked for the autoscaler, and keep the taints of the spec', () => {
  const containerd = { nvidiaGPU: { enabled: true } };
  const tags = (spec: InstanceGroupSpec) =>
    JSON.stringify(
      propsOf(made({}, { nodes: { containerd, ...spec } }), 'aws/AutoscalingGroup', 'nodes.demo.example.com'),
    );
  const gpu = tags({ machineType: 'g4dn.xlarge', taints: ['dedicated=gpu:NoSchedule'] });
  expect(gpu).toContain('"k8s.io/cluster-autoscaler/node-template/label/kops.k8s.io/gpu":"1"');
  expect(gpu).toContain('"k8s.io/cluster-autoscaler/node-template/taint/nvidia.com/gpu":":NoSchedule"');
  expect(gpu).toContain('"k8s.io/cluster-autoscaler/node-template/taint/dedicated":"gpu:NoSchedule"');
  expect(tags({ machineType: 'm5.large' })).not.toContain('gpu');
});

test('workers may ask for types of instances where a group has GPUs', () => {
  const containerd = { nvidiaGPU: { enabled: true } };
  const policy = (machineType: string) =>
    JSON.stringify(
      made({}, { nodes: { containerd, machineType } }).tasks.filter(
        ({ kind, name }) => kind === 'aws/IamRolePolicy' && name === 'nodes.demo.example.com',
      ),
    );
  expect(policy('g4dn.xlarge')).toContain('ec2:DescribeInstanceTypes');
  expect(policy('m5.large')).not.toContain('ec2:DescribeInstanceTypes');
});

const IPV6: ClusterSpec = { nonMasqueradeCIDR: '::/0', networkCIDR: '172.20.0.0/16' };

test('a shared VPC keeps its own egress-only gateway, and its IPv6 range is looked up', () => {
  const { named, terraform } = made(
    {
      ...IPV6,
      networkID: 'vpc-1',
      subnets: [
        { name: 'a', type: 'Private', zone: 'us-east-1a', ipv6CIDR: '/64#1' },
        { name: 'u', type: 'Utility', zone: 'us-east-1a', cidr: '172.20.0.0/24', ipv6CIDR: '/64#0' },
      ],
    },
    {},
  );
  expect(named('aws/EgressOnlyInternetGateway')).toEqual(['demo.example.com']);
  expect(terraform()).not.toContain('resource "aws_egress_only_internet_gateway"');
  expect(terraform()).toContain('variable "egress_only_internet_gateway_id"');
  expect(terraform()).toContain('egress_only_gateway_id      = var.egress_only_internet_gateway_id');
  expect(terraform()).toContain(
    'cidrsubnet(data.aws_vpc.demo-example-com.ipv6_cidr_block, 64 - local.vpc_ipv6_cidr_length, 1)',
  );
});

test.each([
  ['egress', 'eipalloc-1', 'allocation_id = "eipalloc-1"'],
  ['publicIP', '203.0.113.7', 'allocation_id = data.aws_eip.us-east-1a-demo-example-com.id'],
] as const)('a NAT gateway has the elastic IP that %s of its subnet names, %s', (field, named, argument) => {
  const all = made({
    subnets: [
      { name: 'a', type: 'Private', zone: 'us-east-1a', cidr: '172.20.32.0/19', [field]: named },
      { name: 'u', type: 'Utility', zone: 'us-east-1a', cidr: '172.20.0.0/24' },
    ],
  });
  expect(all.named('aws/NatGateway')).toEqual(['us-east-1a.demo.example.com']);
  expect(all.terraform()).not.toContain('resource "aws_eip"');
  expect(all.terraform()).toContain(argument);
});

test('public subnets with IPv6 alone reach IPv4 through a NAT gateway', () => {
  const all = made({
    ...IPV6,
    subnets: [{ name: 'a', type: 'Public', zone: 'us-east-1a', cidr: '172.20.32.0/19', ipv6CIDR: '/64#1' }],
  });
  expect(all.named('aws/NatGateway')).toEqual(['us-east-1a.demo.example.com']);
  expect(all.named('aws/RouteTableAssociation')).toEqual(['public-a.demo.example.com']);
  expect(all.named('aws/Route').filter((name) => name.startsWith('public-'))).toEqual([
    'public-us-east-1a-0.0.0.0/0',
    'public-us-east-1a-::/0',
    'public-us-east-1a-64:ff9b::/96',
  ]);
  expect(JSON.stringify(propsOf(all, 'aws/Subnet', 'a.demo.example.com'))).not.toContain('internal-elb');
});

test('control planes keep the right to their zone where components have roles of their own', () => {
  const policy = propsOf(made(WITH_ROLES), 'aws/IamRolePolicy', 'masters.demo.example.com');
  expect(JSON.stringify(policy)).toContain('route53:ChangeResourceRecordSets');
});

test('where Nodes are called after addresses, so are the instances', () => {
  const hostnames = (spec: ClusterSpec) =>
    made(spec)
      .terraform()
      .match(/private_dns_hostname_type_on_launch.*/g);
  expect(hostnames({})).toEqual([expect.stringContaining('"resource-name"')]);
  expect(hostnames({ cloudConfig: { useIPBasedNodeNames: true } })).toBeNull();
});

test('labels that kubelet gives to Nodes of a group are tags for the autoscaler, too', () => {
  const label = (name: string) => `k8s.io/cluster-autoscaler/node-template/label/${name}`;
  const all = made(
    { kubelet: { nodeLabels: { team: 'a', of: 'cluster' } }, containerd: { gvisor: { enabled: true } } },
    { nodes: { kubelet: { nodeLabels: { of: 'group' } }, nodeLabels: { own: 'b' } } },
  );
  expect(propsOf(all, 'aws/AutoscalingGroup', 'nodes.demo.example.com')).toMatchObject({
    tags: {
      [label('team')]: 'a',
      [label('of')]: 'group',
      [label('own')]: 'b',
      [label('kops.k8s.io/gvisor')]: '1',
    },
  });
  const ofControlPlanes = propsOf(all, 'aws/AutoscalingGroup', 'control-plane.masters.demo.example.com');
  expect(JSON.stringify(ofControlPlanes)).not.toMatch(/label\/(team|of|kops.k8s.io.gvisor)/);
});

const PRIVATE: ClusterSpec = {
  subnets: [
    { name: 'a', type: 'Private', zone: 'us-east-1a', cidr: '172.20.32.0/19' },
    { name: 'utility-a', type: 'Utility', zone: 'us-east-1a', cidr: '172.20.0.0/22' },
  ],
};

test.each([{}, { api: {} }])(
  'control planes that nobody reaches get a load balancer unless the spec says more: %j',
  (api) => {
    expect(made({ ...PRIVATE, ...api }).named('aws/LoadBalancer')).toHaveLength(1);
    expect(made(api).named('aws/LoadBalancer')).toEqual([]);
    expect(made({ ...PRIVATE, api: { dns: {} } }).named('aws/LoadBalancer')).toEqual([]);
  },
);

test('subnets without a range get a part of the network', () => {
  const all = made({
    subnets: [
      { name: 'b', type: 'Public', zone: 'us-east-1b' },
      { name: 'a', type: 'Public', zone: 'us-east-1a' },
    ],
  });
  const cidrs = ['a', 'b'].map((name) => propsOf(all, 'aws/Subnet', `${name}.demo.example.com`));
  expect(cidrs).toMatchObject([{ cidr: '172.20.0.0/17' }, { cidr: '172.20.128.0/17' }]);
});

test('recommendations to rebalance are events of machines that are to be drained then', () => {
  const rules = (settings: object) =>
    made({ nodeTerminationHandler: { enabled: true, enableSQSTerminationDraining: true, ...settings } }).named(
      'aws/EventRule',
    );
  const name = 'demo.example.com-RebalanceRecommendation';
  expect(rules({ enableRebalanceDraining: true })).toContain(name);
  expect(rules({})).not.toContain(name);
});

test('IPv6 has a way out of private subnets only where machines have nothing else, and clients come by it only if they can everywhere', () => {
  const [first, second] = [
    { name: 'a', type: 'Private', zone: 'us-east-1a', cidr: '172.20.32.0/19', ipv6CIDR: '/64#1' },
    { name: 'b', type: 'Private', zone: 'us-east-1b', cidr: '172.20.64.0/19' },
  ] as const;
  const utility = { name: 'utility-a', type: 'Utility', zone: 'us-east-1a', cidr: '172.20.0.0/22' } as const;
  const balanced = (subnets: ClusterSpec['subnets']) =>
    made({ subnets: [...(subnets ?? []), utility], api: { loadBalancer: { type: 'Internal' } } });
  const mixed = balanced([first, { ...second, egress: 'External' }]);
  expect(mixed.named('aws/EgressOnlyInternetGateway')).toEqual([]);
  const dualStack = (all: Made) => all.tasks.find(({ kind }) => kind === 'aws/LoadBalancer')?.props['dualStack'];
  expect(dualStack(mixed)).toBe(false);
  expect(dualStack(balanced([first]))).toBe(true);
});

const actions = (all: Made, role: string): string => JSON.stringify(propsOf(all, 'aws/IamRolePolicy', role));

test.each([
  ['masters', { awsLoadBalancerController: { enabled: true, enableWAF: true } }, 'waf-regional:AssociateWebACL'],
  ['masters', { awsLoadBalancerController: { enabled: true, enableWAFv2: true } }, 'wafv2:GetWebACLForResource'],
  ['masters', { awsLoadBalancerController: { enabled: true, enableShield: true } }, 'shield:CreateProtection'],
  ['masters', { cloudConfig: { nlbSecurityGroupMode: 'Managed' } }, 'elasticloadbalancing:SetSecurityGroups'],
  ['nodes', { containerd: { useECRCredentialsForMirrors: true } }, 'ecr:BatchImportUpstreamImage'],
  ['nodes', { warmPool: { enableLifecycleHook: true } }, 'autoscaling:CompleteLifecycleAction'],
] as const)('%s may do what %j lets them do: %s', (role, settings, action) => {
  const name = `${role}.demo.example.com`;
  expect(actions(made(settings), name)).toContain(action);
  expect(actions(made({ awsLoadBalancerController: { enabled: false } }), name)).not.toContain(action);
});

test('groups of workers and of API servers have the warm pool of the cluster, and may say that a machine is prepared', () => {
  const warmPool = { minSize: 1, enableLifecycleHook: true };
  const all = made({ warmPool }, { servers: { role: 'APIServer' } });
  const pool = (group: string) => propsOf(all, 'aws/AutoscalingGroup', `${group}.demo.example.com`);
  for (const group of ['nodes', 'servers.apiservers']) expect(pool(group)).toMatchObject({ warmPool: { minSize: 1 } });
  expect(pool('control-plane.masters')).not.toHaveProperty('warmPool');
  expect(actions(all, 'apiservers.demo.example.com')).toContain('autoscaling:CompleteLifecycleAction');
});

test('machines with an API server use keys directly where a plugin of encryptionConfig may do so', () => {
  const ofApi = (settings: ClusterSpec) => actions(made(settings), 'masters.demo.example.com');
  const direct = /"Action":\[[^\]]*"kms:Decrypt"[^\]]*\],"Effect":"Allow","Resource":"\*"\}/;
  expect(ofApi({ encryptionConfig: true })).toMatch(direct);
  expect(ofApi({})).not.toMatch(direct);
});
