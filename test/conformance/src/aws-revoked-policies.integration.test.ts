import {
  AttachRolePolicyCommand,
  CreatePolicyCommand,
  IAMClient,
  ListAttachedRolePoliciesCommand,
  ListRolePoliciesCommand,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANYBODY, type AwsAccount, IMAGE, openAccount, REGION } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();
const CLUSTER = 'demo.example.com';
const ROLE = `nodes.${CLUSTER}`;
const STATEMENTS = [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*' }];
const DOCUMENT = JSON.stringify({ Version: '2012-10-17', Statement: STATEMENTS });

describe.skipIf(moto === undefined)('what the spec no longer gives a role in AWS', () => {
  if (moto === undefined) return;
  let account: AwsAccount;
  let iam: IAMClient;

  beforeAll(async () => {
    account = await openAccount(moto);
    iam = new IAMClient({ endpoint: moto.endpoint, region: REGION, credentials: ANYBODY });
  });
  afterAll(async () => {
    iam.destroy();
    await account.close();
    await moto.stop();
  });

  const succeeds = async (...argv: readonly string[]): Promise<string> => {
    const ran = await account.kopsctl(argv);
    expect(ran).toMatchObject({ exitCode: 0 });
    return ran.stdout;
  };
  const policies = async (): Promise<readonly string[]> => {
    const [{ PolicyNames = [] }, { AttachedPolicies = [] }] = await Promise.all([
      iam.send(new ListRolePoliciesCommand({ RoleName: ROLE })),
      iam.send(new ListAttachedRolePoliciesCommand({ RoleName: ROLE })),
    ]);
    return [...PolicyNames, ...AttachedPolicies.map(({ PolicyName = '' }) => PolicyName)].toSorted();
  };
  const managed = async (PolicyName: string): Promise<string> =>
    (await iam.send(new CreatePolicyCommand({ PolicyName, PolicyDocument: DOCUMENT }))).Policy?.Arn ?? '';

  test('is taken from it by the next update, and policies of others with names of their own stay', async () => {
    const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--image', IMAGE, '--networking', 'cni', '--dns', 'none'];
    const sizes = ['--node-size', 't3.medium', '--control-plane-size', 't3.medium'];
    await succeeds('create', 'cluster', '--name', CLUSTER, ...place, ...sizes, '--offline');
    const [queues, logs] = [await managed('queues'), await managed('logs')];
    const additional = `"spec.additionalPolicies.node=${JSON.stringify(STATEMENTS).replaceAll('"', '""')}"`;
    const given = ['--set', additional, '--set', `spec.externalPolicies.node=${queues}`];
    await succeeds('edit', 'cluster', CLUSTER, ...given);
    await succeeds('update', 'cluster', CLUSTER, '--yes');
    expect(await policies()).toEqual([`additional.${ROLE}`, ROLE, 'queues']);

    await iam.send(new PutRolePolicyCommand({ RoleName: ROLE, PolicyName: 'mine', PolicyDocument: DOCUMENT }));
    const revoked = ['--unset', 'spec.additionalPolicies', '--set', `spec.externalPolicies.node[0]=${logs}`];
    await succeeds('edit', 'cluster', CLUSTER, ...revoked);
    const plan = await succeeds('update', 'cluster', CLUSTER);
    expect(plan).toContain(`additional.${ROLE}`);
    expect(plan).toMatch(/revoked\.managedPolicies.*queues/);
    await succeeds('update', 'cluster', CLUSTER, '--yes');
    expect(await policies()).toEqual(['logs', 'mine', ROLE]);
    expect(await succeeds('update', 'cluster', CLUSTER)).toContain('No changes');

    // As with kops, the spec names all managed policies of a role of machines.
    await iam.send(new AttachRolePolicyCommand({ RoleName: ROLE, PolicyArn: queues }));
    await succeeds('edit', 'cluster', CLUSTER, '--unset', 'spec.externalPolicies');
    await succeeds('update', 'cluster', CLUSTER, '--yes');
    expect(await policies()).toEqual(['mine', ROLE]);
  });
});
