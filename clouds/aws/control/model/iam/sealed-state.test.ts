import { expect, test } from 'vitest';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { awsContext } from '../aws-context.ts';
import { machineRoles } from './machine-roles.ts';

const NEW = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const OLD = 'arn:aws:kms:us-east-1:123456789012:key/0000abcd-12ab-34cd-56ef-1234567890ab';
const API_SERVERS = {
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name: 'apiservers' },
  spec: { role: 'APIServer' },
} as const;

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: unknown;
  readonly Resource: unknown;
}

/** What the role of these machines may do with keys besides the encryption of volumes and buckets. */
function rightsToKeys(group: string, stateKey: string | undefined, spec: ClusterSpec = {}): readonly Statement[] {
  const facts = awsFacts(spec);
  const annotations = stateKey === undefined ? {} : { 'kopsctl.io/state-key': stateKey };
  const metadata = { ...facts.cluster.metadata, annotations };
  const context = awsContext({ ...facts, cluster: { ...facts.cluster, metadata } }, [...GROUPS, API_SERVERS]);
  return machineRoles(context)
    .filter(({ kind, name }) => kind === 'aws/IamRolePolicy' && name.startsWith(`${group}.`))
    .flatMap(({ props }) => (props['policy'] as unknown as { Statement: readonly Statement[] }).Statement)
    .filter(({ Action, Condition, Resource }) => {
      // Describing a key, which the cloud controller manager may do, uses none.
      const usesKey = [Action].flat().some((action) => /^kms:(?!DescribeKey)/.test(action));
      // encryptionConfig gives all of them.
      if (Resource === '*' && Condition === undefined) return false;
      return usesKey && !/"StringLike":\{"kms:ViaService|GrantIsForAWSResource/.test(JSON.stringify(Condition ?? ''));
    });
}

const opening = (...keys: readonly string[]): Statement =>
  ({
    Action: 'kms:Decrypt',
    Condition: { StringEquals: { 'kms:EncryptionContext:KubernetesCluster': 'demo.example.com' } },
    Effect: 'Allow',
    Resource: keys,
  }) as Statement;

test.each(['masters', 'apiservers'])('%s may decrypt with the named key, for their own cluster alone', (group) => {
  expect(rightsToKeys(group, NEW)).toEqual([opening(NEW)]);
});

test('while a key is changed both open', () => {
  expect(rightsToKeys('masters', `${NEW},${OLD}`)).toEqual([opening(NEW, OLD)]);
  expect(rightsToKeys('masters', `none,${OLD}`)).toEqual([opening(OLD)]);
});

test('with encryptionConfig, which opens every other key, what other clusters have sealed with it stays closed', () => {
  const [own, others] = rightsToKeys('masters', NEW, { encryptionConfig: true });
  expect(own).toEqual(opening(NEW));
  expect(others).toMatchObject({
    Effect: 'Deny',
    Action: ['kms:Decrypt', 'kms:ReEncrypt*'],
    Resource: [NEW],
    Condition: { StringNotEquals: { 'kms:EncryptionContext:KubernetesCluster': 'demo.example.com' } },
  });
});

test('workers have no right to a key', () => {
  expect(rightsToKeys('nodes', NEW)).toEqual([]);
});

test.each([undefined, 'none'])('with the annotation %s nobody has a right to a key', (value) => {
  for (const group of ['masters', 'apiservers', 'nodes']) expect(rightsToKeys(group, value)).toEqual([]);
});

test('control planes of a gossip cluster may encrypt its keys of gossip, and nothing else', () => {
  const gossip = { topology: { dns: { type: 'Gossip' } } } as const;
  expect(rightsToKeys('masters', NEW, gossip)).toEqual([
    opening(NEW),
    {
      Action: 'kms:Encrypt',
      Condition: {
        StringEquals: {
          'kms:EncryptionContext:KubernetesCluster': 'demo.example.com',
          'kms:EncryptionContext:KopsObject': ['secrets/gossip-key', 'secrets/gossip-key-control-plane'],
        },
      },
      Effect: 'Allow',
      Resource: [NEW],
    },
  ]);
  expect(rightsToKeys('apiservers', NEW, gossip)).toEqual([opening(NEW)]);
});
