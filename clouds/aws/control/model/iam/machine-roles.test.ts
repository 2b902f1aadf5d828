import { expect, test } from 'vitest';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import type { ClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { awsContext } from '../aws-context.ts';
import { machineRoles } from './machine-roles.ts';

const API_SERVERS = {
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name: 'apiservers' },
  spec: { role: 'APIServer' },
} as const;

test.each([
  ['None', ['ec2:DescribeInstances', 'ec2:DescribeVolumes']],
  ['Gossip', []],
  ['Public', []],
])('with dns %s an API server on a machine of its own may look for etcd by %j', (type, allowed) => {
  const context = awsContext(awsFacts({ topology: { dns: { type } } }), [...GROUPS, API_SERVERS]);
  const policy = machineRoles(context).find(
    ({ kind, name }) => kind === 'aws/IamRolePolicy' && name.startsWith('apiservers.'),
  );
  const looks = JSON.stringify(policy?.props['policy']).match(/ec2:Describe\w+/g) ?? [];
  expect([...new Set(looks)].toSorted()).toEqual(allowed);
});

test('workers in a gossip cluster have no permission in EC2: control planes find them', () => {
  const context = awsContext(awsFacts({ topology: { dns: { type: 'Gossip' } } }), GROUPS);
  const policy = machineRoles(context).find(
    ({ kind, name }) => kind === 'aws/IamRolePolicy' && name.startsWith('nodes.'),
  );
  expect(policy).toBeDefined();
  expect(JSON.stringify(policy)).not.toContain('ec2:');
});

test('control planes of a gossip cluster may change its keys, and no other machine may read them', () => {
  const writes = (type: string, group: string): readonly string[] => {
    const context = awsContext(awsFacts({ topology: { dns: { type } } }), [...GROUPS, API_SERVERS]);
    const policy = machineRoles(context).find(
      ({ kind, name }) => kind === 'aws/IamRolePolicy' && name.startsWith(`${group}.`),
    );
    return JSON.stringify(policy?.props['policy']).match(/secrets\/[\w-]+/g) ?? [];
  };
  expect(new Set(writes('Gossip', 'masters'))).toEqual(
    new Set(['secrets/gossip-key', 'secrets/gossip-key-control-plane']),
  );
  expect(writes('Public', 'masters')).toEqual([]);
  expect(writes('Gossip', 'nodes')).toEqual([]);
});

test('workers that get their plans from authorities have no permission in the bucket', () => {
  const statements = (annotations: Record<string, string>): string => {
    const facts = awsFacts({});
    const metadata = { ...facts.cluster.metadata, annotations };
    const context = awsContext({ ...facts, cluster: { ...facts.cluster, metadata } }, GROUPS);
    return JSON.stringify(machineRoles(context).filter(({ name }) => name.startsWith('nodes.')));
  };
  expect(statements({})).toContain('worker-plans/*');
  expect(statements({ 'kopsctl.io/worker-plans': 'authority' })).not.toContain('s3:');
});

test('an API server on a machine of its own writes no report or enrolment of any machine', () => {
  const context = awsContext(awsFacts({}), [...GROUPS, API_SERVERS]);
  const policies = JSON.stringify(machineRoles(context).filter(({ name }) => name.startsWith('apiservers.')));
  expect(policies).toContain('s3:PutObject');
  expect(policies).not.toContain('/nodes/');
});

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Resource: string | readonly string[];
}

/** The statements of the role of a group's machines that allow them to call EC2. */
function statementsOf(group: string, networking: NetworkingSpec, others: ClusterSpec = {}): readonly Statement[] {
  const context = awsContext(awsFacts({ ...others, networking }), [...GROUPS, API_SERVERS]);
  const policy = machineRoles(context).find(
    ({ kind, name }) => kind === 'aws/IamRolePolicy' && name.startsWith(`${group}.`),
  );
  const { Statement = [] } = JSON.parse(JSON.stringify(policy?.props['policy'] ?? {})) as {
    readonly Statement?: readonly Statement[];
  };
  return Statement.filter(({ Action }) => JSON.stringify(Action).includes('ec2:'));
}

test('control planes attach and detach volumes of etcd, also where the driver of volumes has a role of its own', () => {
  const ofVolumes = statementsOf(
    'masters',
    { cni: {} },
    { iam: { useServiceAccountExternalPermissions: true } },
  ).filter(({ Action }) => JSON.stringify(Action).includes('Volume"'));
  expect(ofVolumes).toEqual([
    {
      Action: ['ec2:AttachVolume', 'ec2:DetachVolume'],
      Condition: {
        StringEquals: {
          'aws:ResourceTag/KubernetesCluster': 'demo.example.com',
          'aws:ResourceTag/k8s.io/role/master': '1',
        },
      },
      Effect: 'Allow',
      Resource: ['*'],
    },
  ]);
});

const ROUTED = { calico: { awsSrcDstCheck: 'Disable' } };

test("only control planes manage network interfaces for Cilium: its operator runs there, and agents don't call EC2", () => {
  for (const group of ['nodes', 'apiservers']) {
    expect(JSON.stringify(statementsOf(group, { cilium: { ipam: 'eni' } }))).not.toMatch(/Interface|Tags|Addresses/);
  }
  expect(JSON.stringify(statementsOf('masters', { cilium: { ipam: 'eni' } }))).toContain('ec2:CreateNetworkInterface');
});

test.each([
  ['Cilium with addresses of the VPC', { cilium: { ipam: 'eni' } }],
  ['amazonvpc', { amazonvpc: {} }],
] as const)('with %s every machine may ask how many pods its type has addresses for', (_, networking) => {
  for (const group of ['masters', 'apiservers', 'nodes']) {
    expect(JSON.stringify(statementsOf(group, networking))).toContain('ec2:DescribeInstanceTypes');
  }
});

test('only control planes turn off the check of sources for kube-router, and only of machines of the cluster', () => {
  for (const group of ['nodes', 'apiservers']) {
    expect(JSON.stringify(statementsOf(group, { kuberouter: {} }))).not.toContain('ModifyInstanceAttribute');
  }
  const [statement] = statementsOf('masters', { kuberouter: {} }).filter(
    ({ Action, Resource }) => JSON.stringify(Action).includes('ModifyInstanceAttribute') && Resource !== '*',
  );
  expect(statement?.Condition).toEqual({
    StringEquals: { 'aws:ResourceTag/KubernetesCluster': 'demo.example.com' },
  });
});

test.each([
  ['amazonvpc', { amazonvpc: {} }],
  ['calico without the check of addresses', ROUTED],
] as const)('a worker with %s changes and tags nothing but what the cluster has', (_, networking) => {
  const changes = statementsOf('nodes', networking).filter(({ Action }) =>
    /ec2:(?!Describe)/.test(JSON.stringify(Action)),
  );
  expect(changes).not.toEqual([]);
  const faults = changes.filter(({ Action, Condition, Resource }) => {
    const kinds = [Resource].flat().map((arn) => /:ec2:\*:\*:([\w-]+)\/\*$/.exec(arn)?.[1] ?? arn);
    const isLimited = /"aws:(RequestTag|ResourceTag)\/[^"]+":"demo\.example\.com"/.test(JSON.stringify(Condition));
    // A statement about security groups and subnets names what interfaces are made of, and changes none of them.
    const isOfParts = kinds.every((kind) => kind === 'security-group' || kind === 'subnet');
    const tags = JSON.stringify(Action).includes('Tags');
    return tags ? !isLimited || kinds.join() !== 'network-interface' : !isLimited && !isOfParts;
  });
  expect(faults).toEqual([]);
});

test('the name of the cluster on interfaces of amazonvpc is the one that its plugin is told', () => {
  const env = [{ name: 'CLUSTER_NAME', value: 'shop' }];
  expect(JSON.stringify(statementsOf('nodes', { amazonvpc: { env } }))).toContain(
    '"aws:RequestTag/cluster.k8s.amazonaws.com/name":"shop"',
  );
});
