import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { validatePolicies } from './validate-policies.ts';

const faultsOf = (spec: ClusterSpec) =>
  [...validatePolicies(spec)].map(({ path, message }) => `${path.replace('spec.', '')}: ${message}`);
const ALLOW = '[{"Effect":"Allow","Action":"s3:ListAllMyBuckets","Resource":"*"}]';
const accounts = (...all: NonNullable<NonNullable<ClusterSpec['iam']>['serviceAccountExternalPermissions']>) => ({
  iam: { serviceAccountExternalPermissions: all },
});
const mapped = (arn: string, backendMode = 'CRD') => ({
  authentication: { aws: { backendMode, identityMappings: [{ arn }] } },
});

test.each<ClusterSpec>([
  { additionalPolicies: { node: ALLOW, master: '[]' }, externalPolicies: { bastion: [] } },
  { externalPolicies: { node: ['arn:aws-cn:iam::123456789012:policy/a'] } },
  accounts({ name: 'a', namespace: 'b-*', aws: { inlinePolicy: ALLOW } }),
  mapped('arn:aws:iam::123456789012:role/a', 'MountedFile,CRD'),
])('%j is accepted', (spec) => {
  expect(faultsOf(spec)).toEqual([]);
});

test.each<readonly [ClusterSpec, string]>([
  [{ additionalPolicies: { nodes: '[]' } }, "additionalPolicies.nodes: 'nodes' is not a role of machines"],
  [{ additionalPolicies: { Node: '[]' } }, "additionalPolicies.Node: 'Node' is not a role of machines"],
  [
    { externalPolicies: { master: [], 'control-plane': [] } },
    'externalPolicies.master: control-plane is the same role under another name, and has policies too',
  ],
  [{ additionalPolicies: { node: '{}' } }, 'additionalPolicies.node: it is not a list of statements'],
  [
    { additionalPolicies: { node: '[{"Effect":"allow"}]' } },
    'additionalPolicies.node: the Effect of statement 1 is neither Allow nor Deny',
  ],
  [{ externalPolicies: { node: ['policy/a'] } }, "externalPolicies.node: 'policy/a' is not the ARN of a policy"],
  [accounts({ name: 'a', namespace: 'b' }), 'iam.serviceAccountExternalPermissions[0].aws: gives no rights'],
  [
    accounts({ name: 'a', namespace: 'b', aws: { inlinePolicy: ALLOW, policyARNs: ['arn:aws:iam::1:policy/a'] } }),
    'iam.serviceAccountExternalPermissions[0].aws: has policyARNs and inlinePolicy',
  ],
  [
    accounts({ name: 'a-*', namespace: 'b', aws: { inlinePolicy: ALLOW } }),
    "iam.serviceAccountExternalPermissions[0].name: 'a-*' is not the name of one service account",
  ],
  [
    accounts({ name: 'a', namespace: 'b', aws: { inlinePolicy: '{}' } }),
    'iam.serviceAccountExternalPermissions[0].aws.inlinePolicy: it is not a list of statements',
  ],
  [
    accounts(
      { name: 'a', namespace: 'default', aws: { inlinePolicy: ALLOW } },
      { name: 'a', aws: { inlinePolicy: ALLOW } },
    ),
    'iam.serviceAccountExternalPermissions[1]: default/a is listed twice',
  ],
  [
    mapped('arn:aws:iam::123456789012:role/a', 'MountedFile'),
    'authentication.aws.backendMode: identityMappings are objects, which are not read',
  ],
  [
    mapped('arn:aws:iam::123456789012:policy/a'),
    "authentication.aws.identityMappings[0].arn: 'arn:aws:iam::123456789012:policy/a' is not the ARN of a role or user",
  ],
])('%j is refused', (spec, expected) => {
  expect(faultsOf(spec)).toEqual([expected]);
});

test('a policy that is not JSON is refused with the reason', () => {
  expect(faultsOf({ additionalPolicies: { node: '[' } })).toEqual([
    expect.stringMatching(/^additionalPolicies\.node: it is not JSON: /),
  ]);
});
