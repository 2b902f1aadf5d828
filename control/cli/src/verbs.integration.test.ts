import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSETS, entry, kubernetesEntries } from '@kopsctl/model/testdata/asset-index.ts';
import { kubernetesFacts, RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { parseEnrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { printLock } from '@kopsctl/state-store/lock-record.ts';
import { runCli } from '@kopsctl/test-conformance/warm-cli.ts';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../dist/kopsctl.cjs');

let folder: string;
let state: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-verbs-'));
  state = `file://${join(folder, 'state')}`;
});
afterEach(() => rm(folder, { recursive: true }));

interface Running {
  readonly input?: string;
  readonly editor?: string;
  /** Given by --state; otherwise the test's store is in the environment. */
  readonly state?: string;
}

/** The Kubernetes that the assets of these tests have. */
const PREPARED = ['--kubernetes-version', '1.20.2'];

/** No test reaches AWS, whatever this computer is configured with. */
const NO_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: undefined,
  AWS_PROFILE: undefined,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/nonexistent',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
};

/** Runs kopsctl on a store of its own; as a process of its own where it reads or starts an editor. */
async function kopsctl(argv: readonly string[], options: Running = {}) {
  const line = [...argv, ...(options.state === undefined ? [] : ['--state', options.state])];
  const env = {
    KOPS_STATE_STORE: options.state === undefined ? state : undefined,
    ...NO_CREDENTIALS,
    KOPSCTL_LOCAL_DIR: join(folder, 'local'),
    EDITOR: options.editor ?? 'false',
    KUBE_EDITOR: undefined,
    TMPDIR: folder,
  };
  if (options.input === undefined && options.editor === undefined) return runCli(line, env);
  const { exitCode, stdout, stderr } = await execa(process.execPath, [MAIN, ...line], {
    env,
    reject: false,
    input: options.input ?? '',
  });
  return { exitCode, stdout, stderr };
}

const etcd = kubernetesFacts(RECOMMENDED_KUBERNETES)?.etcdVersion ?? '';

/** What a cluster needs if nobody names a version for it. The files of prepared assets are in one flat folder. */
const CURRENT_ASSETS = {
  assets: [
    ...ASSETS.assets,
    ...kubernetesEntries(RECOMMENDED_KUBERNETES),
    entry(`etcd-${etcd}`, etcd, `etcd/etcd-v${etcd}-linux-amd64.tar`),
  ].map((asset) => ({ ...asset, file: asset.file.replaceAll('/', '-') })),
};

const stored = (path: string) => readFile(join(folder, 'state', path), 'utf8');
const create = () =>
  kopsctl(['create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones', 'eu-west-1a', '--offline']);
const GROUP = 'demo.example.com/instancegroup/nodes-eu-west-1a';

describe('create', () => {
  test('cluster stores the objects it prints in a dry run, once', async () => {
    const flags = ['--cloud', 'aws', '--zones', 'eu-west-1a', '--dry-run', '-o', 'yaml'];
    const dry = await kopsctl(['create', 'cluster', 'demo.example.com', ...flags]);
    expect(await readdir(folder)).toEqual([]);
    expect((await create()).exitCode).toBe(0);
    expect((await kopsctl(['get', 'all', '-o', 'yaml'])).stdout).toBe(dry.stdout);
    const again = await create();
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain('holds a cluster of that name');
  });

  test('-f takes standard input, keeps SSH keys and further objects, and refuses what exists', async () => {
    const { stdout } = await kopsctl(['create', 'cluster', 'demo.example.com', '--dry-run']);
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM6BvFqAdjdSqU+D5/hYC81gsd7K3Qropfvdk/urR2ZS someone';
    const more = [
      `kind: SSHCredential\napiVersion: kops.k8s.io/v1alpha2\nmetadata: {name: admin, labels: {kops.k8s.io/cluster: demo.example.com}}\nspec: {publicKey: ${key}}`,
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: motd}\ndata: {text: hello}',
    ];
    const input = [stdout, ...more].join('\n---\n');
    expect(await kopsctl(['create', '-f', '-'], { input })).toMatchObject({ exitCode: 0 });
    expect(await stored('demo.example.com/pki/ssh/public/admin/dcf2a5a141e293a2e4f67560efd7d58d')).toBe(`${key}\n`);
    expect(await stored('demo.example.com/clusteraddons/default')).toContain('text: hello');
    const again = await kopsctl(['create', '-f', '-'], { input });
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain('instancegroup/nodes');
  });

  test('-f names every fault by file and line, and stores nothing', async () => {
    const { stdout } = await kopsctl(['create', 'cluster', 'demo.example.com', '--dry-run']);
    const file = join(folder, 'spec.yaml');
    await writeFile(file, stdout.replace('maxSize: 1', 'maxSize: none').replace('cloudProvider', 'cloudProvidor'));
    const { exitCode, stderr } = await kopsctl(['create', '-f', file]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/spec\.yaml:6:3: spec\.cloudProvidor: unknown field .*cloudProvider/);
    expect(stderr).toMatch(/spec\.yaml:\d+:\d+: spec\.maxSize: expected an integer, found 'none'/);
    expect(await readdir(folder)).toEqual(['spec.yaml']);
  });

  test('instancegroup and secret add to a cluster', async () => {
    await create();
    await kopsctl(['create', 'ig', 'gpu', '--role=Node', '--edit=false']);
    expect((await kopsctl(['get', 'ig', 'gpu', '-o', 'json'])).stdout).toContain('"role": "Node"');
    const input = '{"auths":{"quay.io":{"auth":"aGk="}}}';
    await kopsctl(['create', 'secret', 'dockerconfig', '-f', '-'], { input });
    expect((await kopsctl(['get', 'secrets', '-o', 'json'])).stdout).toBe('[\n  {\n    "name": "dockerconfig"\n  }\n]');
    const bad = await kopsctl(['create', 'secret', 'dockerconfig', '-f', '-'], { input: '{"auths": hidden}' });
    expect(bad.stderr).toContain('it is not JSON');
    expect(bad.stderr).not.toContain('hidden');
  });
});

describe('edit', () => {
  test('writes what comes back from the editor, and nothing where nothing was changed', async () => {
    await create();
    const before = await stored(GROUP);
    expect((await kopsctl(['edit', 'ig', 'nodes-eu-west-1a'], { editor: 'true' })).stdout).toContain('stays as it is');
    expect(await stored(GROUP)).toBe(before);
    await kopsctl(['edit', 'ig', 'nodes-eu-west-1a'], { editor: "sed -i 's/maxSize: 1/maxSize: 9/'" });
    expect(await stored(GROUP)).toBe(before.replace('maxSize: 1', 'maxSize: 9'));
  });

  test('opens the file again with what is wrong, and keeps it when the person gives up', async () => {
    await create();
    const editor = "sh -c 'cp $0 $0.seen; sed -i s/maxSize:.*/maxSize:\\ many/ $0'";
    const { exitCode, stderr } = await kopsctl(['edit', 'ig', 'nodes-eu-west-1a'], { editor });
    expect(exitCode).toBe(3);
    const [, file = ''] = /what you wrote is kept in (\S+)\)/.exec(stderr) ?? [];
    expect(await readFile(`${file}.seen`, 'utf8')).toContain("#   spec.maxSize: expected an integer, found 'many'");
    expect(await readFile(file, 'utf8')).toContain('maxSize: many');
    expect(await stored(GROUP)).toContain('maxSize: 1');
  });

  test('overwrites nothing that somebody else wrote meanwhile, and says what they did', async () => {
    await create();
    const path = join(folder, 'state', GROUP);
    const editor = `sh -c 'sed -i s/maxSize:.*/maxSize:\\ 5/ $0; sed -i s/machineType:.*/machineType:\\ m5.large/ ${path}'`;
    const { exitCode, stderr } = await kopsctl(['edit', 'ig', 'nodes-eu-west-1a'], { editor });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('+   machineType: m5.large');
    expect(stderr).toMatch(/what you wrote is in \S+; edit again/);
    expect(await stored(GROUP)).toContain('maxSize: 1');
  });

  test('--set and --unset, and their short forms, change fields and check the outcome', async () => {
    await create();
    await kopsctl(['edit', 'cluster', '--set', 'spec.sshAccess=10.0.0.0/8', '--unset', 'spec.sshAccess']);
    expect(await stored('demo.example.com/config')).toContain('sshAccess:\n  - 10.0.0.0/8\n');
    await kopsctl(['set', 'ig', 'nodes-eu-west-1a', 'spec.maxSize=4']);
    await kopsctl(['unset', 'cluster', 'demo.example.com', 'spec.sshAccess']);
    expect(await stored(GROUP)).toContain('maxSize: 4');
    expect(await stored('demo.example.com/config')).not.toContain('sshAccess');
    const shown = await kopsctl(['set', 'ig', 'nodes-eu-west-1a', 'spec.maxSize=5']);
    expect(shown.stdout).toMatch(
      /^--- [^]*\n-  maxSize: 4\n\+  maxSize: 5\n[^]*\nChanged instancegroup\/nodes-eu-west-1a/,
    );
    await kopsctl(['set', 'ig', 'nodes-eu-west-1a', 'spec.maxSize=4']);
    const bad = await kopsctl(['set', 'ig', 'nodes-eu-west-1a', 'spec.minSize=7']);
    expect(bad.exitCode).toBe(3);
    expect(bad.stderr).toContain('7 is more than spec.maxSize (4)');
  });
});

describe('replace and delete', () => {
  test('replace -f writes what exists, and with --force what does not', async () => {
    await create();
    const group = (await kopsctl(['get', 'ig', 'nodes-eu-west-1a', '-o', 'yaml'])).stdout;
    const changed = group.replace('maxSize: 1', 'maxSize: 6');
    const difference = /\n-  maxSize: 1\n\+  maxSize: 6\n/;
    const tried = await kopsctl(['replace', '-f', '-', '--dry-run'], { input: changed });
    expect(tried.stdout).toMatch(difference);
    expect(tried.stdout).toContain('Would replace instancegroup/nodes-eu-west-1a');
    expect(await stored(GROUP)).toContain('maxSize: 1');
    const replaced = await kopsctl(['replace', '-f', '-'], { input: changed });
    expect(replaced.stdout).toMatch(difference);
    expect(replaced.stdout).toContain('Replaced instancegroup/');
    expect(await stored(GROUP)).toContain('maxSize: 6');
    const other = changed.replace(/nodes-eu-west-1a/g, 'other');
    expect((await kopsctl(['replace', '-f', '-'], { input: other })).stderr).toContain('add --force');
    expect((await kopsctl(['replace', '-f', '-', '--force'], { input: other })).stdout).toContain('Created');
  });

  test('delete shows what it would do, does it with --yes, and keeps the last control plane', async () => {
    await create();
    await kopsctl(['delete', 'ig', 'nodes-eu-west-1a']);
    expect(await stored(GROUP)).not.toBe('');
    await kopsctl(['delete', 'ig', 'nodes-eu-west-1a', '--yes']);
    await expect(stored(GROUP)).rejects.toThrow('ENOENT');
    const last = await kopsctl(['delete', 'ig', 'control-plane-eu-west-1a', '--yes']);
    expect(last.stderr).toContain('it is the only control plane');
  });
});

test('delete -f deletes nothing where one of its objects is none that it deletes', async () => {
  await create();
  const file = join(folder, 'objects.yaml');
  const object = (kind: string, of: string) =>
    `{apiVersion: kops.k8s.io/v1alpha2, kind: ${kind}, metadata: {name: ${of}, labels: {kops.k8s.io/cluster: demo.example.com}}, spec: {}}`;
  await writeFile(
    file,
    [object('InstanceGroup', 'nodes-eu-west-1a'), object('Keyset', 'kubernetes-ca')].join('\n---\n'),
  );
  const refused = await kopsctl(['delete', '-f', file, '--yes']);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('delete Keyset kubernetes-ca') });
  expect(await stored(GROUP)).toContain('name: nodes-eu-west-1a');
});

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM6BvFqAdjdSqU+D5/hYC81gsd7K3Qropfvdk/urR2ZS someone';
const FINGERPRINT = 'dcf2a5a141e293a2e4f67560efd7d58d';

/** A file that names an instance group and an SSH key of the cluster. */
async function groupAndKey(): Promise<string> {
  const file = join(folder, 'group-and-key.yaml');
  const object = (kind: string, of: string, spec: string) =>
    `{apiVersion: kops.k8s.io/v1alpha2, kind: ${kind}, metadata: {name: ${of}, labels: {kops.k8s.io/cluster: demo.example.com}}, spec: ${spec}}`;
  const [group, key] = [
    object('InstanceGroup', 'nodes-eu-west-1a', '{}'),
    object('SSHCredential', 'admin', `{publicKey: ${SSH_KEY}}`),
  ];
  await writeFile(file, `${group}\n---\n${key}\n`);
  return file;
}

/** Stores that SSH key and a secret. */
async function bringKeyAndSecret(): Promise<void> {
  await writeFile(join(folder, 'key.pub'), SSH_KEY);
  await kopsctl(['create', 'sshpublickey', '--ssh-public-key', join(folder, 'key.pub')]);
  await writeFile(join(folder, 'docker.json'), '{"auths":{"quay.io":{"auth":"aGk="}}}');
  await kopsctl(['create', 'secret', 'dockerconfig', '-f', join(folder, 'docker.json')]);
}

test('delete -f refuses an SSH key that is not there, before it deletes anything, and deletes one that is', async () => {
  await create();
  const argv = ['delete', '-f', await groupAndKey()];
  for (const refused of [await kopsctl(argv), await kopsctl([...argv, '--yes'])]) {
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`cannot delete sshpublickey/${FINGERPRINT} of demo.example.com: not found`);
    expect(refused.stderr).toContain('existing keys: none');
  }
  expect(await stored(GROUP)).toContain('name: nodes-eu-west-1a');
  await bringKeyAndSecret();
  expect((await kopsctl(argv)).stdout).toContain(`Would delete sshpublickey/${FINGERPRINT} of demo.example.com`);
  expect((await kopsctl([...argv, '--yes'])).stdout).toBe(
    `Deleted instancegroup/nodes-eu-west-1a of demo.example.com\nDeleted sshpublickey/${FINGERPRINT} of demo.example.com`,
  );
  await expect(stored(`demo.example.com/pki/ssh/public/admin/${FINGERPRINT}`)).rejects.toThrow('ENOENT');
  await expect(stored(GROUP)).rejects.toThrow('ENOENT');
});

test('While somebody else holds the lock no group, secret or SSH key is deleted, and what only shows is not hindered', async () => {
  await create();
  await bringKeyAndSecret();
  const [acquiredMs, expiresMs] = [Date.now(), Date.now() + 600_000];
  const held = { id: 'x', owner: 'anna@laptop', purpose: 'apply', acquiredMs, expiresMs, isReleased: false };
  await writeFile(join(folder, 'state/demo.example.com/lock'), printLock(held));
  const file = await groupAndKey();
  const before = await readdir(join(folder, 'state'), { recursive: true });
  for (const argv of [
    ['delete', 'ig', 'nodes-eu-west-1a', '--yes'],
    ['delete', 'secret', 'dockerconfig'],
    ['delete', 'sshpublickey', 'demo.example.com'],
    ['delete', '-f', file, '--yes'],
  ]) {
    expect(await kopsctl(argv)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('anna@laptop has held it'),
    });
  }
  expect(await readdir(join(folder, 'state'), { recursive: true })).toEqual(before);
  expect((await kopsctl(['delete', 'ig', 'nodes-eu-west-1a'])).exitCode).toBe(0);
  expect((await kopsctl(['delete', '-f', file])).exitCode).toBe(0);
});

test('Locks that a deletion left are no cluster: a new one takes them over, and they can be deleted', async () => {
  const [acquiredMs, expiresMs] = [Date.now() - 120_000, Date.now() - 1];
  const held = { id: 'x', owner: 'anna@laptop', purpose: 'delete', acquiredMs, expiresMs, isReleased: false };
  const left = join(folder, 'state/demo.example.com');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'lock'), printLock(held));
  expect((await kopsctl(['get', 'clusters'])).stdout).not.toContain('demo.example.com');
  const removed = await kopsctl(['delete', 'cluster', 'demo.example.com', '--yes']);
  expect(removed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Deleted cluster demo.example.com') });
  await expect(stored('demo.example.com/lock')).rejects.toThrow('ENOENT');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'lock'), printLock(held));
  expect((await create()).exitCode).toBe(0);
  const unregistered = await kopsctl(['delete', 'cluster', 'demo.example.com', '--unregister', '--yes']);
  expect(unregistered.exitCode).toBe(0);
  await expect(stored('demo.example.com/lock')).rejects.toThrow('ENOENT');
});

test('Flags that are not flags, and words that are not commands, exit with 3', async () => {
  for (const argv of [['create', 'cluster', 'x', '--nope'], ['frobnicate'], ['get', 'all', '-o', 'xml']]) {
    expect(await kopsctl(argv)).toMatchObject({ exitCode: 3 });
  }
});

describe('what cannot be made', () => {
  test('a cluster that cannot be planned is not stored, and the one cause is told once', async () => {
    const argv = ['create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones', 'eu-west-1a'];
    const shown = await kopsctl(argv);
    expect(shown.exitCode).toBe(1);
    expect(shown.stderr).toContain('look for the images and machine types of demo.example.com');
    expect(shown.stderr.match(/credentials from any provider/g)).toHaveLength(1);
    // What machines download is looked for first; without it, nothing is made either.
    expect(await kopsctl([...argv, '--yes'])).toMatchObject({ exitCode: 1 });
    await expect(stored('demo.example.com/config')).rejects.toThrow('ENOENT');
    expect(await create()).toMatchObject({ exitCode: 0 });
  });

  test('a cluster that cannot be written for a tool is not stored', async () => {
    const argv = ['create', 'cluster', 'demo.local.test', '--cloud', 'local', '--target', 'terraform'];
    const { exitCode, stderr } = await kopsctl(argv);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cannot be written for Terraform');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a cluster of a cloud that nothing drives is refused before it is stored; a spec that kops stored can be taken out', async () => {
    const argv = ['create', 'cluster', 'g.example.com', '--cloud=hetzner', '--zones', 'fsn1'];
    for (const more of [[], ['--yes'], ['--offline']]) {
      const refused = await kopsctl([...argv, ...more]);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain('cannot make clusters of the cloud provider hetzner yet');
    }
    expect(await readdir(folder)).toEqual([]);
    const { stdout: input } = await kopsctl([...argv, '--dry-run']);
    for (const verb of [
      ['create', '-f', '-'],
      ['replace', '--force', '-f', '-'],
    ]) {
      const unmade = await kopsctl(verb, { input });
      expect(unmade.exitCode).toBe(1);
      expect(unmade.stderr).toContain('cannot make clusters of the cloud provider hetzner yet');
    }
    const [cluster = ''] = input.split('---\n').filter((text) => text.includes('kind: Cluster'));
    await mkdir(join(folder, 'state/g.example.com'), { recursive: true });
    await writeFile(join(folder, 'state/g.example.com/config'), cluster);
    const refused = await kopsctl(['delete', 'cluster', 'g.example.com', '--yes']);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--unregister --yes') });
    await kopsctl(['delete', 'cluster', 'g.example.com', '--unregister']);
    expect(await stored('g.example.com/config')).toContain('hetzner');
    expect(await kopsctl(['delete', 'cluster', 'g.example.com', '--unregister', '--yes'])).toMatchObject({
      exitCode: 0,
    });
    expect(await readdir(join(folder, 'state'))).not.toContain('g.example.com');
  });
});

test('A name that was mistyped is an error, which names the nearest', async () => {
  await create();
  const mistyped = await kopsctl(['delete', 'cluster', 'demo.example.con', '--yes']);
  expect(mistyped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('did you mean demo.example.com?') });
  const other = { state: `file://${join(folder, 'other')}` };
  expect(await kopsctl(['delete', 'cluster', 'demo.example.com', '--yes'], other)).toMatchObject({ exitCode: 1 });
  expect(await kopsctl(['get', 'clusters'], other)).toMatchObject({ exitCode: 1, stdout: '' });
  expect(await kopsctl(['get', 'secrets', '--name', 'demo.example.con'])).toMatchObject({ exitCode: 1, stdout: '' });
});

test('No control character of what others wrote, and of what was typed, is printed', async () => {
  await kopsctl(['create', 'cluster', 'demo.local.test', '--cloud', 'local', ...PREPARED, '--offline']);
  const held = { id: 'x', owner: 'me \u001b]0;title\u0007', purpose: 'apply', isReleased: false };
  const [acquiredMs, expiresMs] = [Date.now(), Date.now() + 600_000];
  await writeFile(join(folder, 'state/demo.local.test/lock'), printLock({ ...held, acquiredMs, expiresMs }));
  const unlocked = await kopsctl(['toolbox', 'unlock']);
  const mistyped = await kopsctl(['get', 'all\u001b[2J']);
  expect(unlocked.stdout).toContain('me \ufffd]0;title\ufffd');
  expect(mistyped.stderr).toContain('all\ufffd[2J');
  for (const { stdout, stderr } of [unlocked, mistyped]) expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n\t]/u);
});

test('Proposed commands name the state store where it was given by --state, and only then', async () => {
  const argv = ['create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones', 'eu-west-1a', '--offline'];
  const proposed = (text: string) => text.split('\n').filter((line) => /^ {2}kopsctl |^Next: /.test(line));
  const flagged = proposed((await kopsctl(argv, { state })).stdout);
  expect(flagged).toHaveLength(3);
  expect(flagged.filter((line) => !line.includes(`--state ${state}`))).toEqual([]);
  const again = await kopsctl(argv, { state });
  expect(again.stderr).toContain(`-o yaml --state ${state}\``);
  await kopsctl(['delete', 'cluster', '--unregister', '--yes']);
  expect((await kopsctl(argv)).stdout).not.toContain('--state');
});

describe('the machine of a node', () => {
  const NAME = 'demo.local.test';
  const file = () => join(folder, 'state', NAME, 'nodes/nodes-1/enrolment.json');
  const enrolment = {
    node: 'nodes-1',
    instanceId: 'nodes-1',
    launchedMs: 1,
    instanceGroup: 'nodes',
    machineKey: 'first',
    address: '172.30.0.10',
    enrolledAt: '2026-01-02T11:01:00Z',
  };

  beforeEach(async () => {
    await kopsctl(['create', 'cluster', NAME, '--cloud', 'local', ...PREPARED, '--offline']);
    await mkdir(join(file(), '..'), { recursive: true });
    await writeFile(file(), printEnrolment(enrolment));
  });

  test('is revoked with --yes, once, and shown without', async () => {
    const shown = await kopsctl(['toolbox', 'revoke', 'nodes-1']);
    expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Would revoke nodes-1') });
    expect(await readFile(file(), 'utf8')).toBe(printEnrolment(enrolment));
    const revoked = await kopsctl(['toolbox', 'revoke', 'nodes-1', '--reason', 'stolen', '--yes'], { state });
    expect(revoked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Revoked nodes-1') });
    // The prepared Kubernetes is 1.20, which denies no writes.
    expect(revoked.stderr).toContain('only Kubernetes 1.30');
    expect(revoked.stderr).toContain(`kopsctl toolbox terminate nodes-1 --state ${state}`);
    const marked = await readFile(file(), 'utf8');
    expect(parseEnrolment(marked)).toMatchObject({ revokedReason: 'stolen' });
    const again = await kopsctl(['toolbox', 'revoke', 'nodes-1', '--reason', 'lost', '--yes']);
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('was revoked already') });
    expect(await readFile(file(), 'utf8')).toBe(marked);
  });

  test('may have another key with --yes, but not where it is revoked, unless that is taken back', async () => {
    await kopsctl(['toolbox', 're-enroll', 'nodes-1']);
    expect(await readFile(file(), 'utf8')).toBe(printEnrolment(enrolment));
    expect(await kopsctl(['toolbox', 're-enroll', 'nodes-1', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(parseEnrolment(await readFile(file(), 'utf8'))).toEqual({ ...enrolment, permitsNewKey: true });
    await kopsctl(['toolbox', 'revoke', 'nodes-1', '--yes']);
    const marked = await readFile(file(), 'utf8');
    const refused = await kopsctl(['toolbox', 're-enroll', 'nodes-1', '--yes']);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--unrevoke') });
    expect(await readFile(file(), 'utf8')).toBe(marked);
    expect(await kopsctl(['toolbox', 're-enroll', 'nodes-1', '--unrevoke', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(parseEnrolment(await readFile(file(), 'utf8'))).toEqual({ ...enrolment, permitsNewKey: true });
    expect(await kopsctl(['toolbox', 're-enrol', 'nodes-1'])).toMatchObject({ exitCode: 3 });
  });
});

describe('machines on this computer', () => {
  const NAME = 'demo.local.test';
  const OTHER = 'file:///var/lib/other/state';
  const record = () => join(folder, 'local', NAME, 'network.json');
  const machine = () => join(folder, 'local', NAME, 'machines/nodes-1/machine.json');

  /** Machines that another store's cluster of that name has here; its supervisor does not run. */
  beforeEach(async () => {
    await mkdir(join(machine(), '..'), { recursive: true });
    await writeFile(
      record(),
      JSON.stringify({ cidr: '172.30.0.0/24', storeUrl: OTHER, assetsDir: '/a', layers: [], apiPort: 1 }),
    );
    const spec = { name: 'nodes-1', nodeName: 'nodes-1', instanceGroup: 'nodes', role: 'Node', zone: 'a', tags: {} };
    const made = {
      userDataHash: '',
      layers: [],
      address: '172.30.0.10',
      machineId: '0',
      wanted: 'running',
      createdMs: 0,
    };
    await writeFile(machine(), JSON.stringify({ ...spec, ...made }));
  });

  test("of another store's cluster are refused by all that would use them", async () => {
    await kopsctl(['create', 'cluster', NAME, '--cloud', 'local', ...PREPARED, '--offline']);
    const assets = join(folder, 'assets');
    await mkdir(assets);
    await writeFile(join(assets, 'index.json'), JSON.stringify(CURRENT_ASSETS));
    const users = [
      ['get', 'machines'],
      ['toolbox', 'console', 'nodes-1'],
      ['toolbox', 'terminate', 'nodes-1'],
      ['export', 'kubeconfig'],
      ['plan', '--assets', assets],
    ];
    const refused = await Promise.all(users.map((argv) => kopsctl(argv)));
    expect(refused.map(({ exitCode }) => exitCode)).toEqual(users.map(() => 1));
    const said = refused.map(({ stdout, stderr }) => stdout + stderr);
    expect(said.filter((text) => !text.includes(`they belong to the cluster of that name in ${OTHER}`))).toEqual([]);
    await kopsctl(['delete', 'cluster', '--yes']);
    const created = await kopsctl([
      'create',
      'cluster',
      NAME,
      '--cloud',
      'local',
      ...PREPARED,
      '--assets',
      assets,
      '--yes',
    ]);
    expect(created.stderr).toContain(OTHER);
    expect(created.stderr).toContain('nothing was stored');
    expect(await readFile(machine(), 'utf8')).toContain('nodes-1');
  });

  test("of another store's cluster stay when a cluster of their name is deleted", async () => {
    await kopsctl(['create', 'cluster', NAME, '--cloud', 'local', ...PREPARED, '--offline']);
    const deleted = await kopsctl(['delete', 'cluster', NAME, '--yes']);
    expect(deleted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Deleted cluster ${NAME}`) });
    expect(deleted.stdout).not.toContain('nodes-1');
    expect(await readFile(record(), 'utf8')).toContain(OTHER);
    expect(await readFile(machine(), 'utf8')).toContain('nodes-1');
  });

  test('are found by the store that made them before this was asked, and a mistyped one is an error', async () => {
    await kopsctl(['create', 'cluster', NAME, '--cloud', 'local', ...PREPARED, '--offline']);
    await writeFile(record(), (await readFile(record(), 'utf8')).replace(OTHER, state));
    expect((await kopsctl(['get', 'machines'])).stdout).toContain('nodes-1');
    const actions = ['console', 'terminate', 'reboot', 'exec'];
    const mistyped = await Promise.all(actions.map((action) => kopsctl(['toolbox', action, 'node-1'])));
    expect(mistyped.map(({ exitCode }) => exitCode)).toEqual(actions.map(() => 1));
    expect(mistyped.filter(({ stderr }) => !stderr.includes('did you mean nodes-1?'))).toEqual([]);
  });
});

test('While somebody else holds the lock nothing is stored, made or deleted', async () => {
  await kopsctl(['create', 'cluster', 'demo.local.test', '--cloud', 'local', ...PREPARED, '--offline']);
  const spec = (await kopsctl(['get', 'all', '-o', 'yaml'])).stdout;
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await writeFile(join(assets, 'index.json'), JSON.stringify(CURRENT_ASSETS));
  const [acquiredMs, expiresMs] = [Date.now(), Date.now() + 600_000];
  const held = { id: 'x', owner: 'anna@laptop', purpose: 'apply', acquiredMs, expiresMs, isReleased: false };
  await writeFile(join(folder, 'state/demo.local.test/lock'), printLock(held));
  const input = spec.replace(/maxSize: 1(\n *minSize: 1\n *role: Node)/, 'maxSize: 3$1');
  expect(input).not.toBe(spec);
  for (const argv of [
    ['apply', '-f', '-', '--yes', '--no-wait', '--assets', assets],
    ['delete', 'cluster', '--yes'],
  ]) {
    const { exitCode, stderr } = await kopsctl(argv, { input });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('anna@laptop has held it');
  }
  expect((await kopsctl(['get', 'all', '-o', 'yaml'])).stdout).toBe(spec);
});

test('A patch release that the prepared assets do not hold is replaced by the nearest, another minor version is not', async () => {
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await writeFile(join(assets, 'index.json'), JSON.stringify(CURRENT_ASSETS));
  const [major = '', minor = '', patch = ''] = RECOMMENDED_KUBERNETES.split('.');
  const wanted = `${major}.${minor}.${Number(patch) + 7}`;
  const prepared = ['--kubernetes-version', wanted];
  await kopsctl(['create', 'cluster', 'demo.local.test', '--cloud', 'local', ...prepared, '--offline']);
  const planned = await kopsctl(['plan', '--assets', assets]);
  expect(planned.exitCode).toBe(0);
  expect(planned.stderr.match(/.*Kubernetes.*/g)).toEqual([
    `Replaced: Kubernetes ${wanted} by ${RECOMMENDED_KUBERNETES}, the nearest patch release that the prepared assets hold`,
  ]);
  await kopsctl(['set', 'cluster', 'spec.containerd.version=2.1.0']);
  expect((await kopsctl(['plan', '--assets', assets])).stderr).toContain(
    'Replaced: containerd 2.1.0 by 2.4.2, the nearest version that the prepared assets hold',
  );
  const other = `${major}.${Number(minor) - 1}.0`;
  await kopsctl(['set', 'cluster', `spec.kubernetesVersion=${other}`]);
  const refused = await kopsctl(['plan', '--assets', assets]);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`lists only ${RECOMMENDED_KUBERNETES}`),
  });
});

test('A cluster that is to encrypt what it stores is not planned without the keys', async () => {
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await writeFile(join(assets, 'index.json'), JSON.stringify(CURRENT_ASSETS));
  await kopsctl(['create', 'cluster', 'demo.local.test', '--cloud', 'local', '--offline']);
  await kopsctl(['set', 'cluster', 'spec.encryptionConfig=true']);
  const refused = await kopsctl(['plan', '--assets', assets]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout + refused.stderr).toContain('kopsctl create secret encryptionconfig -f FILE');
  const secret = Buffer.alloc(32, 'k').toString('base64');
  const providers = [{ aescbc: { keys: [{ name: 'mine', secret }] } }, { identity: {} }];
  const config = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
  const input = JSON.stringify({ ...config, resources: [{ resources: ['secrets'], providers }] });
  const keys = ['create', 'secret', 'encryptionconfig', '-f', '-'];
  expect(await kopsctl(keys, { input: input.replace('resources', 'hidden') })).toMatchObject({
    exitCode: 3,
    stderr: expect.not.stringContaining('hidden'),
  });
  expect(await kopsctl(keys, { input })).toMatchObject({ exitCode: 0 });
  const planned = await kopsctl(['plan', '--assets', assets, '--out', join(folder, 'plan')]);
  expect(planned.exitCode).toBe(0);
  expect(planned.stdout + (await readFile(join(folder, 'plan'), 'utf8'))).not.toContain(secret);
});

test('Settings that open a port, and those without effect, are told by file and line', async () => {
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await writeFile(join(assets, 'index.json'), JSON.stringify(CURRENT_ASSETS));
  const file = join(folder, 'cluster.yaml');
  await kopsctl(['create', 'cluster', 'demo.local.test', '--cloud', 'local', ...PREPARED, '--offline']);
  const { stdout } = await kopsctl(['get', 'cluster', '-o', 'yaml']);
  const lines = stdout.replace('spec:\n', 'spec:\n  kubelet:\n    readOnlyPort: 10255\n    requireKubeconfig: true\n');
  await writeFile(file, lines);
  const line = (text: string) => lines.split('\n').findIndex((one) => one.trim() === text) + 1;
  const planned = await kopsctl(['plan', '-f', file, '--assets', assets]);
  expect(planned).toMatchObject({ exitCode: 0 });
  expect(planned.stderr).toContain(`Warning: ${file}:${line('readOnlyPort: 10255')}:5: spec.kubelet.readOnlyPort: `);
  expect(planned.stderr).toContain(
    `Left out: ${file}:${line('requireKubeconfig: true')}:5: spec.kubelet.requireKubeconfig: `,
  );
});

test('A saved plan is refused once the spec it was made from has changed', async () => {
  await kopsctl(['create', 'cluster', 'demo.local.test', '--cloud', 'local', ...PREPARED, '--offline']);
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await writeFile(join(assets, 'index.json'), JSON.stringify(CURRENT_ASSETS));
  const plan = join(folder, 'plan.json');
  const saving = await kopsctl(['plan', '--out', plan, '--assets', assets]);
  expect(saving).toMatchObject({ exitCode: 0 });
  await kopsctl(['set', 'ig', 'nodes', 'spec.maxSize=2']);
  const applied = await kopsctl(['apply', plan, '--assets', assets, '--no-wait']);
  expect(applied.exitCode).toBe(1);
  expect(applied.stderr).toContain('demo.local.test/instancegroup/nodes was changed');
});

describe('versions of the API', () => {
  test('what is written in v1alpha3 is stored, and shown in either version', async () => {
    await create();
    const stored = await readFile(join(folder, 'state', 'demo.example.com/config'), 'utf8');
    const shown = await kopsctl(['get', 'all', '-o', 'yaml', '--api-version', 'v1alpha3']);
    expect(shown.stdout).toContain('cloudProvider:\n    aws: {}');
    expect(shown.stdout).toContain('role: ControlPlane');
    expect((await kopsctl(['replace', '-f', '-'], { input: shown.stdout })).exitCode).toBe(0);
    expect(await readFile(join(folder, 'state', 'demo.example.com/config'), 'utf8')).toBe(stored);
    const group = await kopsctl(['get', 'ig', 'nodes-eu-west-1a', '-o', 'json', '--api-version', 'v1alpha3']);
    expect(JSON.parse(group.stdout)).toMatchObject({ apiVersion: 'kops.k8s.io/v1alpha3' });
  });

  test('toolbox convert prints files in either version, and names what has no place', async () => {
    await create();
    const { stdout } = await kopsctl(['get', 'all', '-o', 'yaml']);
    const old = stdout.replace('spec:\n', 'spec:\n  containerRuntime: containerd\n');
    const there = await kopsctl(['toolbox', 'convert', '-f', '-', '--api-version', 'v1alpha3'], { input: old });
    expect(there.stderr).toMatch(/no place for these fields of Cluster demo.example.com, .*: spec.containerRuntime/);
    const back = await kopsctl(['toolbox', 'convert', '-f', '-'], { input: there.stdout });
    expect(back.stdout.replaceAll('\n---\n\n', '---\n')).toContain(stdout.replace(/---\n[^]*/, '').trim());
  });

  test('faults of a file in v1alpha3 are named as it names them', async () => {
    const file = join(folder, 'spec.yaml');
    const head = 'apiVersion: kops.k8s.io/v1alpha3\nkind: Cluster\nmetadata:\n  name: a.example.com\nspec:\n';
    await writeFile(file, `${head}  networking:\n    networkCIDr: 10.0.0.0/8\n  cloudProvider:\n    aws: {}\n`);
    const unknown = await kopsctl(['create', '-f', file]);
    expect(unknown.exitCode).toBe(3);
    expect(unknown.stderr).toMatch(/spec\.yaml:7:5: spec\.networking\.networkCIDr: unknown field .*networkCIDR/);
    await writeFile(file, `${head}  networking:\n    networkCIDR: 10.0.0.0/99\n  cloudProvider:\n    aws: {}\n`);
    const invalid = await kopsctl(['create', '-f', file]);
    expect(invalid.stderr).toMatch(/spec\.yaml:7:5: spec\.networking\.networkCIDR: '10\.0\.0\.0\/99' is not/);
  });

  test('explain says where values came from, of a whole object too, and takes either name', async () => {
    await create();
    const explain = async (...argv: readonly string[]) => (await kopsctl(['explain', ...argv])).stdout;
    expect(await explain('cluster', 'demo.example.com', 'spec.networking.podCIDR')).toContain(
      'part of spec.nonMasqueradeCIDR',
    );
    expect(await explain('cluster', 'demo.example.com', 'spec.kubelet')).toMatch(/cgroupRoot = "\/"\n {2}kops default/);
    expect(await explain('ig', 'nodes-eu-west-1a', 'spec.minSize')).toContain('set by create cluster');
    const wrong = await kopsctl(['explain', 'cluster', 'demo.example.com', 'spec.kubelet.maxPodz']);
    expect(wrong.stderr).toContain('did you mean spec.kubelet.maxPods?');
  });
});

describe('explain tells what create cluster chose from what a person said', () => {
  const [CHOSEN, SAID] = ['set by create cluster', 'set by you'];
  const origins = async (kind: string, name: string) => {
    const { stdout } = await kopsctl(['explain', kind, name, 'spec', '--name', 'demo.example.com']);
    return Object.fromEntries(
      [...stdout.matchAll(/^(\S+) = .*\n {2}(.*)$/gm)].map(([, path, origin]) => [path, origin]),
    );
  };

  test('until it is edited, and not where a flag or --set named it', async () => {
    const flags = ['--network-cidr', '10.0.0.0/16', '--node-count', '2', '--set', 'spec.sshAccess=10.0.0.0/8'];
    const cluster = ['cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline'];
    await kopsctl(['create', ...cluster, ...flags]);
    expect(await origins('cluster', 'demo.example.com')).toMatchObject({
      'spec.channel': CHOSEN,
      'spec.cloudProvider': SAID,
      'spec.networkCIDR': SAID,
      'spec.nonMasqueradeCIDR': CHOSEN,
      'spec.sshAccess': SAID,
      'spec.subnets[0].cidr': CHOSEN,
      'spec.subnets[0].zone': SAID,
    });
    expect(await origins('ig', 'nodes-eu-west-1a')).toMatchObject({ 'spec.minSize': SAID, 'spec.role': CHOSEN });
    await kopsctl(['edit', 'cluster', '--set', 'spec.channel=alpha']);
    await kopsctl(['edit', 'ig', 'control-plane-eu-west-1a', '--set', 'spec.image=mine']);
    expect(await origins('cluster', 'demo.example.com')).toMatchObject({ 'spec.channel': SAID });
    expect(await origins('ig', 'control-plane-eu-west-1a')).toMatchObject({
      'spec.image': SAID,
      'spec.minSize': CHOSEN,
    });
  });

  test('and takes all of a cluster from files for what a person said', async () => {
    const argv = ['create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--dry-run'];
    await kopsctl(['create', '-f', '-'], { input: (await kopsctl(argv)).stdout });
    expect(await origins('cluster', 'demo.example.com')).toMatchObject({ 'spec.channel': SAID });
  });

  test('and says which file is broken where the record of it is', async () => {
    await create();
    const record = 'demo.example.com/manifests/kopsctl/create-cluster.json';
    expect(JSON.parse(await stored(record))).toMatchObject({ kind: 'CreationRecord' });
    await writeFile(join(folder, 'state', record), '{"cluster": []}');
    const { exitCode, stderr } = await kopsctl(['explain', 'cluster', 'demo.example.com', 'spec.channel']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('it is not a CreationRecord of kopsctl.io/v1');
  });
});
