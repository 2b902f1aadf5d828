import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printHost } from '@kopsctl/node-identity/host-record.ts';
import { runCli } from '@kopsctl/test-conformance/warm-cli.ts';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-history-'));
});
afterEach(() => rm(folder, { recursive: true }));

const kopsctl = (...argv: readonly string[]) =>
  runCli(argv, { KOPS_STATE_STORE: `file://${folder}/state`, EDITOR: 'false' });

const VERSION = 'spec.kubernetesVersion';

test('changes are listed, compared, and undone; an undo can be undone; deletion leaves no history', async () => {
  await kopsctl('create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline');
  await kopsctl('set', 'cluster', `${VERSION}=1.35.0`, '--why', 'the new one is not trusted yet');
  const { stdout: json } = await kopsctl('history', '-o', 'json');
  expect(JSON.parse(json)).toMatchObject({
    cluster: 'demo.example.com',
    changedElsewhere: [],
    changes: [
      { number: 1, objects: [{ path: 'config', before: null }, {}, {}] },
      { number: 2, why: 'the new one is not trusted yet', objects: [{ path: 'config' }] },
    ],
  });
  const whole = (await kopsctl('history')).stdout;
  expect(whole).toContain('kopsctl set cluster spec.kubernetesVersion=1.35.0');

  const changed = await kopsctl('diff', '--exit-code');
  expect(changed).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('+  kubernetesVersion: 1.35.0') });
  const plans = (await kopsctl('diff', '--what', 'node-plans')).stdout;
  expect(plans).toContain('+kubernetesVersion: 1.35.0');

  const shown = await kopsctl('undo');
  expect(shown.stdout).toContain('Would bring back config of demo.example.com. Add --yes to do it');
  expect((await kopsctl('diff', '--from', '2', '--exit-code')).exitCode).toBe(0);
  expect((await kopsctl('undo', '--yes')).stdout).toContain('Next: kopsctl update cluster demo.example.com --yes');
  expect((await kopsctl('diff', '--from', '1', '--exit-code')).exitCode).toBe(0);
  await kopsctl('undo', '--yes');
  expect((await kopsctl('get', 'cluster', '-o', 'yaml')).stdout).toContain('kubernetesVersion: 1.35.0');

  const refused = await kopsctl('undo', '--to', '77');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('its history has no change 77') });
  await kopsctl('delete', 'cluster', 'demo.example.com', '--unregister', '--yes');
  expect((await execa('find', [`${folder}/state/demo.example.com`, '-type', 'f'], { reject: false })).stdout).toBe('');
});

test('what another tool wrote is a line of the history that can be shown and undone', async () => {
  await kopsctl('create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline');
  await kopsctl('set', 'instancegroup', 'nodes-eu-west-1a', 'spec.maxSize=3');
  const path = `${folder}/state/demo.example.com/instancegroup/nodes-eu-west-1a`;
  const ours = await readFile(path, 'utf8');
  await writeFile(path, ours.replace('maxSize: 3', 'maxSize: 4'));

  const { stdout } = await kopsctl('history');
  expect(stdout.split('\n').find((line) => line.startsWith('2+'))).toMatch(
    /another tool +instancegroup\/nodes-eu-west-1a/,
  );
  const { changes } = JSON.parse((await kopsctl('history', '-o', 'json')).stdout);
  expect(changes.map(({ id, by }: { id: string; by: string }) => [id, by])).toEqual([
    ['1', 'kopsctl'],
    ['2', 'kopsctl'],
    ['2+', 'another tool'],
  ]);
  const patch = /-  maxSize: 3\n\+  maxSize: 4/;
  expect((await kopsctl('diff')).stdout).toMatch(patch);
  expect((await kopsctl('diff', '--from', '2')).stdout).toMatch(patch);
  expect((await kopsctl('diff', '--from', '2+', '--exit-code')).exitCode).toBe(0);

  expect((await kopsctl('undo', '--yes')).exitCode).toBe(0);
  expect(await readFile(path, 'utf8')).toBe(ours);
  await kopsctl('undo', '--to', '2+', '--yes');
  expect(await readFile(path, 'utf8')).toContain('maxSize: 4');
});

test('a spec is brought back to before the oldest change that is kept, but not to before the cluster', async () => {
  await kopsctl('create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline');
  const refused = await kopsctl('undo', '--to', '0');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('that change created the cluster') });
  // As if another tool had made the cluster.
  await rm(`${folder}/state/demo.example.com/manifests/kopsctl/history`, { recursive: true });
  await kopsctl('set', 'cluster', `${VERSION}=1.35.0`);
  await kopsctl('set', 'cluster', `${VERSION}=1.35.1`);
  expect((await kopsctl('undo', '--to', '0')).stdout).toContain('-  kubernetesVersion: 1.35.1');
  expect((await kopsctl('undo', '--to', '0', '--yes')).exitCode).toBe(0);
  expect((await kopsctl('diff', '--from', '0', '--exit-code')).exitCode).toBe(0);
  const wrong = await kopsctl('undo', '--to', 'yesterday');
  expect(wrong).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('5 or 5+') });
});

test('a cluster is drawn as it would be made, without a cloud', async () => {
  await kopsctl('create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline');
  const drawn = (await kopsctl('graph')).stdout;
  expect(drawn).toContain('"group/control-plane-eu-west-1a" -> "etcd/main" [label="member a"];');
  const { stdout } = await kopsctl('graph', '--instance-group', 'nodes-eu-west-1a', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ title: 'Tasks of machines of nodes-eu-west-1a' });
  const refused = await kopsctl('graph', '--instance-group', 'nods');
  expect(refused.stderr).toContain('name one of control-plane-eu-west-1a, nodes-eu-west-1a');
});

test('a dry run of edit, set and unset shows the change, and refuses what they would refuse', async () => {
  await kopsctl('create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline');
  const { stdout: before } = await kopsctl('get', 'all', '-o', 'yaml');
  const set = await kopsctl('set', 'cluster', `${VERSION}=1.35.0`, '--dry-run');
  expect(set.stdout).toMatch(/^\+ +kubernetesVersion: 1\.35\.0$/m);
  expect(set.stdout).toContain('would be changed; nothing is stored');
  const edited = await kopsctl('edit', 'ig', 'nodes-eu-west-1a', '--set', 'spec.maxSize=4', '--dry-run');
  expect(edited.stdout).toContain('+  maxSize: 4');
  expect((await kopsctl('unset', 'cluster', 'spec.kubernetesVersion', '--dry-run')).stdout).toContain(
    'nothing is stored',
  );
  expect((await kopsctl('set', 'ig', 'nodes-eu-west-1a', 'spec.maxSize=-1', '--dry-run')).exitCode).not.toBe(0);
  expect((await kopsctl('get', 'all', '-o', 'yaml')).stdout).toBe(before);
});

test('what machines of each group are told to be is shown, in full where that is asked for', async () => {
  await kopsctl('create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline');
  const listed = (await kopsctl('get', 'nodeplans')).stdout;
  expect(listed).toMatch(/^GROUP +ROLE +KUBERNETES +TASKS +HASH\n/);
  expect(listed).toMatch(/^nodes-eu-west-1a +Node +\d\S+ +\d+ +[0-9a-f]{64}$/m);
  const plan = JSON.parse((await kopsctl('get', 'nodeplan', 'nodes-eu-west-1a', '-o', 'json')).stdout);
  expect(plan).toMatchObject({ kind: 'NodePlan', instanceGroup: 'nodes-eu-west-1a', role: 'Node' });
  const refused = await kopsctl('get', 'nodeplans', 'nods');
  expect(refused.stderr).toContain('name one of control-plane-eu-west-1a, nodes-eu-west-1a');
});

/** Writes a machine's report of a boot, as nodeup does. */
async function report(cluster: string, node: string, startedAt: string): Promise<string> {
  const path = join(folder, 'state', cluster, 'nodes', node);
  await mkdir(path, { recursive: true });
  const task = { task: 'File/a', startedAt, durationMs: 500, result: 'changed' };
  await writeFile(
    join(path, 'boot-report.json'),
    JSON.stringify({ startedAt, finishedAt: startedAt, result: 'done', tasks: [task] }),
  );
  return path;
}

test('timeline shows machines that there are, and explain node and timeline those that are gone if they are asked for', async () => {
  const cluster = 'metal.example.com';
  await kopsctl('create', 'cluster', cluster, '--cloud=metal', '--zones=main', '--offline');
  const gone = await report(cluster, 'former', '2026-01-01T00:00:00Z');
  const allGone = await kopsctl('timeline');
  expect(allGone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no longer has: former') });
  const kept = await report(cluster, 'nodes-1', '2026-02-01T00:00:00Z');
  const host = { instanceGroup: 'nodes', role: 'Node', address: '10.0.0.2', zone: 'main', enrolledMs: 0 } as const;
  await writeFile(join(kept, 'host.json'), printHost({ ...host, node: 'nodes-1', instanceId: 'i', volumes: [] }));

  const { stdout, stderr } = await kopsctl('timeline');
  expect(stdout).toContain('nodes-1: booted at 2026-02-01T00:00:00.000Z');
  expect(stdout).not.toContain('former');
  expect(stderr).toContain('Boots of machines that are gone are not shown: 1');
  const all = await kopsctl('timeline', '--all-machines', '-o', 'json');
  expect(JSON.parse(all.stdout)).toMatchObject({ machines: [{ node: 'former' }, { node: 'nodes-1' }], notShown: 0 });
  expect((await kopsctl('timeline', '--node', 'former')).stdout).toContain('former: booted at');

  const explained = await kopsctl('explain', 'node', 'former', '-o', 'yaml');
  expect(parse(explained.stdout)).toMatchObject({
    evidence: { node: 'former' },
    findings: [{ what: 'the cloud has no machine former' }],
  });

  await writeFile(join(gone, 'host.json'), '{}');
  const unasked = await kopsctl('timeline');
  expect(unasked.stdout).toContain('former: booted at');
  expect(unasked.stderr).toContain('Warning: machines that are gone may be among these');
});
