import { expect, test } from 'vitest';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
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
