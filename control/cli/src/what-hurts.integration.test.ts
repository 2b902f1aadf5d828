import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printLock } from '@kopsctl/state-store/lock-record.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runLine } from './testing/run-line.ts';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-hurts-'));
  env = { KOPS_STATE_STORE: `file://${folder}/state`, HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') };
});
afterEach(() => rm(folder, { recursive: true }));

const run = (line: string) => runLine(`kopsctl ${line}`, env);
const create = () => run('create cluster demo.example.com --cloud aws --zones eu-west-1a --offline');

describe('usage errors', () => {
  test.each([
    ['get clutsers', 'did you mean `kopsctl get clusters`?'],
    ['delete clustr x', 'did you mean `kopsctl delete cluster`?'],
    ['get clusters --nope', 'unknown option'],
    ['get clusters -o xml', 'Allowed choices are table, yaml, json'],
    ['update cluster --phase net', 'Allowed choices are network, security, cluster'],
    ['update cluster --target terraform --prune', 'leave --prune out'],
    ['update cluster --target cloudformation --exit-code', 'only cloudformation knows'],
    ['validate cluster --wait 10', "'10' is not a duration"],
    ['create cluster x.example.com --cloud awz --zones a --dry-run', "--cloud is 'awz'"],
    ['create cluster x.example.com', 'no cloud is named'],
    ['create cluster', 'it has no name'],
    ['create', 'no file is named'],
    ['delete', 'no file is named'],
    ['explain podd', 'only a node, and the kinds Cluster, InstanceGroup'],
    ['explain cluster spec.networkin', 'did you mean spec.'],
    ['explain ig spec.rootVolume', 'write spec.rootVolumeEncryption'],
    ['explain cluster demo.example.com spec.api --api-version v1alpha3', 'kept by the names of v1alpha2'],
    ['toolbox schema clustr', 'there is no such kind'],
    ['version -v much', 'not a whole number'],
    ['rolling-update cluster --budget none', "it is 'none'"],
    ['toolbox template', 'no template is named'],
    ['heal --watch', 'nothing is changed without --yes'],
    ['get clusters --config /nope/settings', 'read the settings in /nope/settings'],
    ['delete cluster x.example.com --external', '--external needs --region'],
    ['export kubeconfig --all x.example.com', '--all and x.example.com cannot be used together'],
  ])('`%s` exits with 3', async (line, why) => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^Error: .*\nNext: {2}/s);
    expect(stderr).toContain(why);
  });
});

test('with -o json an error is an object, whatever it is of', async () => {
  await create();
  const lines = ['get clusters nope.example.com -o json', 'get clusters -o json --nope', 'get -ojson ig nope'];
  for (const line of lines) {
    const { code, stdout, stderr } = await run(line);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toMatchObject({
      type: 'error',
      exitCode: code,
      message: expect.any(String),
      next: expect.any(String),
    });
  }
  await writeFile(
    join(folder, 'bad.yaml'),
    'apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata: {name: a.b}\nspec: {channel: 7}\n',
  );
  const invalid = await run(`plan -f ${folder}/bad.yaml -o json`);
  expect(invalid.code).toBe(3);
  expect(JSON.parse(invalid.stderr)).toMatchObject({
    faults: expect.arrayContaining([expect.objectContaining({ path: 'spec.channel', line: 4 })]),
  });
});

test('an option before the command that it belongs to is not lost', async () => {
  await create();
  expect(JSON.parse((await run('get -o json ig nodes-eu-west-1a')).stdout)).toMatchObject({ kind: 'InstanceGroup' });
  expect((await run('delete --yes ig nodes-eu-west-1a')).stdout).toContain('Deleted instancegroup/');
  const refused = await run('delete cluster demo.example.com -f x.yaml');
  expect(refused.code).toBe(3);
  expect((await run('delete cluster --help')).stdout).not.toContain('--filename');
});

test('what does not exist is an error, with the nearest name', async () => {
  expect(await run('get clusters')).toMatchObject({ code: 1, stderr: expect.stringContaining('holds none') });
  await create();
  for (const line of ['get cluster dem.example.com', 'delete cluster dem.example.com --yes']) {
    expect(await run(line)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did you mean demo.example.com'),
    });
  }
  expect(await run('toolbox console nope')).toMatchObject({ code: 1, stderr: expect.stringContaining('Error: ') });
});

test('a folder below /proc is not a state store, and that is said at once', async () => {
  const { code, stderr } = await run(
    'create cluster a.example.com --cloud aws --zones eu-west-1a --offline --state file:///proc/nope',
  );
  expect(code).toBe(1);
  expect(stderr).toContain('ENOENT');
});

test('a wrong type hides nothing else that is wrong with a spec', async () => {
  const { stdout } = await run('create cluster demo.example.com --cloud aws --zones eu-west-1a --dry-run -o yaml');
  const bad = stdout
    .replace('channel: stable', 'channel: [stable]')
    .replace('networkCIDR: 172.20.0.0/16', 'networkCIDR: 172.20.0.0/160')
    .replace('maxSize: 1', 'maxSize: 0');
  await writeFile(join(folder, 'bad.yaml'), bad);
  const { code, stderr } = await run(`create -f ${folder}/bad.yaml`);
  expect(code).toBe(3);
  expect(stderr).toMatch(/bad\.yaml:\d+:\d+: spec\.channel/);
  expect(stderr).toMatch(/bad\.yaml:\d+:\d+: spec\.networkCIDR/);
});

test('help has examples, and `help` takes the whole name of a command', async () => {
  const { code, stdout } = await run('help create cluster');
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: kopsctl create cluster');
  expect(stdout).toContain('Examples:');
});

test('what explain and diff print as text, they print as YAML and JSON too', async () => {
  await create();
  const field = { path: 'spec.etcdClusters.name', type: 'string' };
  expect(parse((await run('explain cluster spec.etcdClusters[0].name -o yaml')).stdout)).toMatchObject(field);
  const stored = await run('explain cluster demo.example.com spec.kubernetesVersion -o yaml');
  expect(parse(stored.stdout)).toMatchObject([{ path: 'spec.kubernetesVersion' }]);
  await run('set cluster spec.kubernetesVersion=1.35.0');
  const wanted = { cluster: 'demo.example.com', differences: [{ path: 'config', change: 'changed' }] };
  const diff = await run('diff -o yaml --exit-code');
  expect(diff.code).toBe(2);
  expect(parse(diff.stdout)).toMatchObject(wanted);
  expect(JSON.parse((await run('diff -o json')).stdout)).toMatchObject(wanted);
});

test('explain walks the API without a store, and an object of a store with its origins', async () => {
  expect((await run('explain cluster')).stdout).toMatch(/networking +object +The pod network/);
  expect((await run('explain ig spec.rootVolume --api-version v1alpha3')).stdout).toMatch(/size +int32 +The size/);
  expect(JSON.parse((await run('explain cluster spec.etcdClusters[0].name -o json')).stdout)).toMatchObject({
    path: 'spec.etcdClusters.name',
    type: 'string',
    text: 'main, events or cilium.',
  });
  await create();
  const explained: unknown = JSON.parse((await run('explain cluster demo.example.com spec.podCIDR -o json')).stdout);
  expect(explained).toMatchObject([{ path: 'spec.podCIDR', origin: expect.any(String), text: 'The range of pods.' }]);
  expect((await run('explain ig nodes-eu-west-1a --name demo.example.com')).stdout).toContain('spec.role = "Node"');
});

test('the schema has texts, in any case of the kind, and one for files of several objects', async () => {
  const schema = JSON.parse((await run('toolbox schema cluster')).stdout) as {
    properties: { spec: { properties: object } };
  };
  expect(schema.properties.spec.properties).toMatchObject({
    podCIDR: { type: 'string', description: 'The range of pods.' },
  });
  expect(JSON.parse((await run('toolbox schema all')).stdout)).toMatchObject({
    allOf: expect.arrayContaining([expect.objectContaining({ if: expect.objectContaining({}) })]),
  });
});

test('the state store and the cluster may be in ~/.kops.yaml and in the environment', async () => {
  await create();
  await writeFile(join(folder, '.kops.yaml'), `kops_state_store: file://${folder}/state\n`);
  const { KOPS_STATE_STORE: _, ...rest } = env;
  expect((await runLine('kopsctl get clusters', rest)).stdout).toContain('demo.example.com');
  await writeFile(join(folder, 'other.yaml'), `KOPS_STATE_STORE: file://${folder}/none\n`);
  expect((await runLine(`kopsctl get clusters --config ${folder}/other.yaml`, rest)).stderr).toContain(
    '/none holds none',
  );
});

test('toolbox manual writes a page for every command, not only for those of the toolbox', async () => {
  expect((await run(`toolbox manual --out ${folder}/man`)).code).toBe(0);
  const pages = await readdir(join(folder, 'man'));
  expect(pages).toEqual(expect.arrayContaining(['kopsctl.1', 'kopsctl-toolbox-lint.1', 'kopsctl-update-cluster.1']));
});

test('names are completed from the store', async () => {
  await create();
  expect((await run('__complete -- edit cluster d')).stdout).toBe('demo.example.com\n');
  expect((await run('__complete -- edit ig nodes')).stdout).toBe('nodes-eu-west-1a\n');
  expect((await run('__complete -- update cluster --target c')).stdout).toBe('cloudformation\n');
  expect((await run('__complete --no-descriptions -- get clu')).stdout).toBe('clusters\n');
  expect((await run('__complete -- get clu')).stdout).toBe('clusters\tthe clusters of the state store\n');
  expect((await run('__complete -- update cluster --life')).stdout).toMatch(/^--lifecycle-overrides\t/);
  const words = async (line: string) => (await run(`__complete -- ${line}`)).stdout.replace(/\t.*/g, '');
  expect(await words('explain c')).toBe('cluster\n');
  expect(await words('toolbox schema a')).toBe('all\n');
  expect(await words('edit cluster --set spec.kubernetesV')).toBe('spec.kubernetesVersion=\n');
  expect(await words('edit cluster --set=spec.kubernetesV')).toBe('--set=spec.kubernetesVersion=\n');
  expect(await words('set ig nodes-eu-west-1a spec.maxS')).toBe('spec.maxSize=\n');
  expect(await words('explain cluster spec.netw')).toBe('spec.networkCIDR\nspec.networkID\nspec.networking.\n');
  expect(await words('explain cluster.spec.networkC')).toBe('cluster.spec.networkCIDR\n');
  expect(await words('explain ig.')).toBe('ig.spec.\n');
  expect(await words('create ig more --subnet e')).toBe('eu-west-1a\n');
  const cluster = join(folder, 'state/demo.example.com');
  await mkdir(join(cluster, 'nodes/i-0a5ed581b862d3425'), { recursive: true });
  await writeFile(join(cluster, 'nodes/i-0a5ed581b862d3425/boot-report.json'), '{}');
  for (const line of ['explain node i', 'timeline --node i', 'toolbox revoke i', 'delete instance i']) {
    expect(await words(line)).toBe('i-0a5ed581b862d3425\n');
  }
  await mkdir(join(cluster, 'pki/issued/kubernetes-ca'), { recursive: true });
  await writeFile(
    join(cluster, 'pki/issued/kubernetes-ca/keyset.yaml'),
    'kind: Keyset\nmetadata: {name: kubernetes-ca}\nspec: {type: Keypair, primaryId: "67", keys: [{id: "67"}]}\n',
  );
  expect(await words('distrust keypair kubernetes-ca ""')).toBe('67\n');
});

test('completion knows the cluster that stands in the line, and the file of settings', async () => {
  await create();
  await run('create cluster other.example.com --cloud aws --zones eu-west-1b --offline');
  const words = async (line: string) => (await run(`__complete -- ${line}`)).stdout.replace(/\t.*/g, '');
  expect(await words('rolling-update cluster --instance-group n')).toBe('');
  expect(await words('rolling-update cluster other.example.com --instance-group n')).toBe('nodes-eu-west-1b\n');
  expect(await words('get ig --name=demo.example.com n')).toBe('nodes-eu-west-1a\n');
  await writeFile(
    join(folder, 'kubeconfig'),
    'current-context: it\ncontexts: [{name: it, context: {cluster: other.example.com}}]\n',
  );
  expect(await words('rolling-update cluster --instance-group n')).toBe('nodes-eu-west-1b\n');
  await writeFile(join(folder, 'settings.yaml'), `kops_state_store: ${env['KOPS_STATE_STORE']}\n`);
  env = { HOME: folder };
  expect(await words('edit cluster d')).toBe('');
  expect(await words(`edit cluster --config ${folder}/settings.yaml d`)).toBe('demo.example.com\n');
  expect(await words(`edit cluster --config ${folder}/nope d`)).toBe('');
});

test('values of flags, changes, and commands after help are completed', async () => {
  await create();
  await run('set cluster spec.kubernetesVersion=1.35.0');
  const words = async (line: string) => (await run(`__complete -- ${line}`)).stdout.replace(/\t.*/g, '');
  expect(await words('create cluster x --cloud g')).toBe('gce\n');
  expect(await words('create cluster x --networking=amazon')).toBe(
    '--networking=amazon-vpc-routed-eni\n--networking=amazonvpc\n',
  );
  expect(await words('create cluster x --topology ""')).toBe('private\npublic\n');
  expect(await words('create cluster x --dns n')).toBe('none\n');
  expect(await words('create cluster x --api-loadbalancer-type=i')).toBe('--api-loadbalancer-type=internal\n');
  expect(await words('create ig more --role c')).toBe('control-plane\n');
  expect(await words('undo --to ""')).toBe('2\n1\n0\n');
  expect(await words('diff demo.example.com --from=1')).toBe('--from=1\n');
  expect(await words('help ge')).toBe('get\n');
  expect(await words('help get keyp')).toBe('keypairs\n');
  expect(await words('help get keypairs ""')).toBe('');
});

test('of machines, which stay in the store when they are gone, the newest are completed first', async () => {
  await create();
  const nodes = join(folder, 'state/demo.example.com/nodes');
  for (const [index, name] of ['i-b', 'i-a', 'i-c'].entries()) {
    await mkdir(join(nodes, name), { recursive: true });
    await writeFile(join(nodes, name, 'boot-report.json'), '{}');
    await utimes(join(nodes, name, 'boot-report.json'), 1000 + index, 1000 + index);
  }
  expect((await run('__complete -- explain node i-')).stdout).toBe('i-c\ni-a\ni-b\n');
});

test('-v tells phases, and what lies behind an error', async () => {
  const { stderr } = await run('create cluster a.example.com --cloud aws --zones eu-west-1a --dry-run -v 1');
  expect(stderr).toContain('infer the cluster from the flags: took');
});

test('toolbox unlock says what becomes of work that still goes on, and of which locks it does not break', async () => {
  await create();
  const lock = { id: 'x', owner: 'anna@laptop', purpose: 'apply', acquiredMs: 0, isReleased: false };
  await writeFile(join(folder, 'state/demo.example.com/lock'), printLock({ ...lock, expiresMs: Date.now() + 600_000 }));
  expect(await run('toolbox unlock')).toMatchObject({
    code: 0,
    stdout:
      'The lock of demo.example.com is broken: anna@laptop has held it for "apply" since 1970-01-01T00:00:00.000Z. ' +
      'If that still goes on, it notices within half a minute, and stops\n',
  });
  expect(await run('toolbox unlock')).toMatchObject({
    code: 0,
    stdout:
      'Nobody held the lock of demo.example.com. Locks of rolling updates and upgrades are not broken: ' +
      'they expire two minutes after their holders have ended\n',
  });
});

test.each(['status', 'doctor', 'list-backups'])('etcd %s says the same in YAML as in JSON', async (verb) => {
  await create();
  const control = join(folder, 'state/demo.example.com/backups/etcd/main/control');
  await mkdir(control, { recursive: true });
  await writeFile(join(control, 'etcd-cluster-created'), '{}');
  const json = await run(`etcd ${verb} -o json`);
  const yaml = await run(`etcd ${verb} demo.example.com -o yaml`);
  expect(yaml.code).toBe(json.code);
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
});

test('with -o json, what is written for another tool is a document too', async () => {
  await create();
  const { code, stdout } = await run(`update cluster --target terraform --offline --out ${folder}/out -o json`);
  expect(code).toBe(0);
  const { tasks } = JSON.parse(stdout) as { readonly tasks: readonly { readonly id: string }[] };
  expect(tasks).toContainEqual(expect.objectContaining({ id: 'Keyset/kubernetes-ca' }));
});

test.each(['apply nosuch', 'create keypair service-account --primary --key nosuch', 'create -f nosuch'])(
  '`%s` names the file that is not there, without the place in the code',
  async (line) => {
    await create();
    const { code, stderr } = await run(line);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: cannot read nosuch: ENOENT[^\n]*\nNext: {2}check the path\n$/m);
    expect(stderr).not.toMatch(/^ {4}at /m);
  },
);
