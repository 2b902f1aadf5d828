import { expect, test } from 'vitest';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { awsContext } from '../aws-context.ts';
import { machineRoles } from './machine-roles.ts';
import { serviceAccountRoles } from './service-accounts.ts';

const ARN = 'arn:aws:iam::123456789012:policy/queues';
const STATEMENTS = '[{"Effect":"Allow","Action":"sqs:SendMessage","Resource":"*"}]';

/** What the roles of workers, of an account in the spec, and of a component must not have, and all that is attached to them. */
function roles(spec: Parameters<typeof awsFacts>[0], aws: object, isOfKops = false) {
  const iam = {
    useServiceAccountExternalPermissions: true,
    serviceAccountExternalPermissions: [{ name: 'app', namespace: 'default', aws }],
  };
  const context = awsContext({ ...awsFacts({ ...spec, iam }), isOfKops }, GROUPS);
  const all = [...machineRoles(context), ...serviceAccountRoles(context)].filter(({ kind }) => kind === 'aws/IamRole');
  return ['nodes.', 'app.default.', 'ebs-csi-controller-sa.'].map((start) => {
    const props = all.find(({ name }) => name.startsWith(start))?.props;
    return [props?.['unwantedPolicies'], props?.['managedPolicies']];
  });
}

test('a role loses the policies that the spec does not give it', () => {
  expect(roles({}, {})).toEqual([
    [['additional.nodes.demo.example.com'], []],
    [['app.default.sa.demo.example.com'], []],
    // Nothing in the spec gives components more than their own policy.
    [[], undefined],
  ]);
});

test('a role keeps the policies that the spec gives it', () => {
  const spec = { additionalPolicies: { node: STATEMENTS }, externalPolicies: { node: [ARN] } };
  expect(roles(spec, { inlinePolicy: STATEMENTS, policyARNs: [ARN] })).toEqual([
    [[], [ARN]],
    [[], [ARN]],
    [[], undefined],
  ]);
});

test('in a cluster of kops the statements of a role stay', () => {
  expect(roles({}, {}, true)[1]).toEqual([[], []]);
});
