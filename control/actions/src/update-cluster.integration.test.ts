import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { ActionContext } from './phases/action.ts';
import { updateCluster } from './update-cluster.ts';

const NAME = 'demo.example.com';

let folder: string;
let context: ActionContext;
const told: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-update-'));
  context = {
    state: `file://${folder}/state`,
    name: NAME,
    env: { KUBECONFIG: join(folder, 'kubeconfig') },
    signal: new AbortController().signal,
    onEvent: (event) => void (event.type === 'note' && told.push(event.line)),
  };
  const flags = { name: NAME, cloud: 'aws', zones: ['us-east-1a'] };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: true });
});
afterAll(() => rm(folder, { recursive: true }));

const terraform = (lifecycleOverrides: readonly string[], more: object = {}) =>
  updateCluster(context, {
    target: 'terraform',
    yes: false,
    offline: true,
    out: join(folder, 'out'),
    scope: { prune: false, lifecycleOverrides },
    ...more,
  });

test.each([
  ['Foo=Ignore', 'there is no kind Foo'],
  ['SecurityGroup=Bar', 'there is no lifecycle Bar'],
  ['SecurityGroup=ExistsAndValidates', 'the cloud is not asked here'],
])(
  'what cannot be done with a kind (%s) is refused for another tool as well, before anything is written',
  async (override, why) => {
    const refused = terraform([override]);
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(why), isUsage: true });
    await expect(readFile(join(folder, 'out/kubernetes.tf'))).rejects.toThrow('ENOENT');
  },
);

test('kinds that are ignored are left out of what Terraform makes, and still referred to', async () => {
  await terraform(['SecurityGroup=Ignore', 'SecurityGroupRule=ExistsAndWarnIfChanges', 'VPC=WarnIfInsufficientAccess']);
  const text = await readFile(join(folder, 'out/kubernetes.tf'), 'utf8');
  expect(text).not.toMatch(/resource "aws_security_group(?:_rule)?"/);
  expect(text).toContain('aws_security_group.nodes-demo-example-com.id');
  expect(text).toContain('resource "aws_vpc"');
});

test('with --yes the cluster is written into the kubeconfig, also where another tool makes it', async () => {
  expect(await terraform([], { yes: true, kubeconfig: { isInternal: true } })).toMatchObject({
    kubeconfig: join(folder, 'kubeconfig'),
  });
  expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toContain(`https://api.internal.${NAME}`);
});

test('offline, nobody is asked where the API is, and the note says so', async () => {
  expect(await terraform([], { yes: true, kubeconfig: {} })).not.toHaveProperty('kubeconfig');
  expect(told).toContainEqual(expect.stringContaining('is not asked with --offline'));
});
