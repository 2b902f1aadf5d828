import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { printLock } from '@kopsctl/state-store/lock-record.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RELEASE } from './cloud/agents-release.ts';
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

test('what was written for another tool says which release wrote it, and an older one is refused', async () => {
  const version = join(folder, 'state', NAME, 'manifests/kopsctl/version.txt');
  await rm(version, { force: true });
  await terraform([]);
  expect(await readFile(version, 'utf8')).toBe(`${RELEASE}\n`);
  await writeFile(version, '99.0.0\n');
  await expect(terraform([])).rejects.toThrow('kopsctl 99.0.0 applied it last');
  expect(await readFile(version, 'utf8')).toBe('99.0.0\n');
  await terraform([], { allowsDowngrade: true });
  expect(await readFile(version, 'utf8')).toBe(`${RELEASE}\n`);
});

test('nothing is written for another tool while somebody upgrades the cluster', async () => {
  const lock = join(folder, 'state', NAME, 'manifests/kopsctl/upgrade.lock');
  const holder = { id: 'x', owner: 'someone', purpose: 'upgrade', acquiredMs: 0, isReleased: false };
  await mkdir(dirname(lock), { recursive: true });
  await writeFile(lock, printLock({ ...holder, expiresMs: Date.now() + 60_000 }));
  const out = join(folder, 'beside');
  await expect(terraform([], { out })).rejects.toThrow('someone has been working on it since');
  await expect(terraform([], { out, sshPublicKeyFile: join(folder, 'no-such-key.pub') })).rejects.toThrow(
    'someone has',
  );
  await rm(lock);
  await expect(readFile(join(out, 'kubernetes.tf'))).rejects.toThrow('ENOENT');
});
