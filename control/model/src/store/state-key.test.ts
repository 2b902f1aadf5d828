import { awsCluster } from '@kopsctl/clouds/aws/control/model/aws-cluster.ts';
import { localCluster } from '@kopsctl/clouds/local/control/model/local-cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';

const RECIPIENT = 'age1wvwvpmkvrjhuwfkdskc360934p8gjag0tk04ymhtvv79hce3lc9s8egeha';
const ARN = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

function model(stateKey: string | undefined, options: Parameters<typeof completedCluster>[0] = {}): readonly Task[] {
  const completed = completedCluster(options);
  const annotations = stateKey === undefined ? {} : { 'kopsctl.io/state-key': stateKey };
  const { cluster } = completed;
  const build = options.spec?.cloudProvider === 'aws' ? awsCluster : localCluster;
  return build({
    ...completed,
    cluster: { ...cluster, metadata: { ...cluster.metadata, annotations } },
    assets: ASSETS,
    storeUrl: 'file:///var/lib/state',
    assetsDir: '/var/cache/assets',
    stateIdentity: '/root/state-identity',
    sshPublicKeys: [],
    agents: { version: '0.1.0', baseUrl: 'https://releases.example.com' },
    sha256Of: () => '0'.repeat(64),
  });
}

const propsOf = (tasks: readonly Task[], wanted: string): Task['props'] | undefined =>
  tasks.find(({ kind }) => kind === wanted)?.props;

test('on local machines objects are sealed once the supervisor knows the identity', () => {
  const tasks = model(RECIPIENT);
  expect(propsOf(tasks, 'StateKey')).toEqual({ sealsWith: RECIPIENT, after: [{ ref: 'local/Network/network' }] });
  expect(propsOf(tasks, 'local/Network')).toMatchObject({ stateIdentity: '/root/state-identity' });
});

test('while objects are written in the clear the supervisor can open the others', () => {
  const tasks = model('none');
  expect(propsOf(tasks, 'StateKey')).toEqual({ after: [{ ref: 'local/Network/network' }] });
  expect(propsOf(tasks, 'local/Network')).toMatchObject({ stateIdentity: '/root/state-identity' });
});

test('a spec that names no key has nothing of it', () => {
  const tasks = model(undefined);
  expect(propsOf(tasks, 'StateKey')).toBeUndefined();
  expect(propsOf(tasks, 'local/Network')).not.toHaveProperty('stateIdentity');
});

test('in AWS objects are sealed once machines may open them', () => {
  const subnets = [{ name: 'us-east-1a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19' }] as const;
  const configBase = 's3://state/demo.example.com';
  const spec = { cloudProvider: 'aws', kubernetesVersion: '1.35.0', configBase, subnets: [...subnets] } as const;
  const inSubnet = { subnets: ['us-east-1a'] };
  const tasks = model(ARN, { name: 'demo.example.com', spec, nodes: inSubnet });
  expect(propsOf(tasks, 'StateKey')).toEqual({
    sealsWith: ARN,
    after: [{ ref: 'aws/IamRolePolicy/masters.demo.example.com' }],
  });
});
