import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import type { DriftReport } from '@kopsctl/node-plan/drift-report.ts';
import { type NodePlan, planFolderOf } from '@kopsctl/node-plan/node-plan.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { MachineFacts } from '@kopsctl/machine-facts/machine-facts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';

const NODEUP = fileURLToPath(new URL('main.ts', import.meta.url));
const CLUSTER = 'demo.example.com';

let folder: string;
let root: string;
let config: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-nodeup-'));
  root = join(folder, 'root');
  config = join(folder, 'boot.json');
  await mkdir(root);
  await writeFile(
    join(folder, 'facts.json'),
    JSON.stringify({ instanceId: 'i-1', nodeName: 'node-1', address: '10.0.0.1', zone: 'a' }),
  );
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

const file = (name: string, text: string, after: readonly string[] = []): Task => ({
  kind: 'File',
  name,
  props: { path: `/etc/demo/${name}`, mode: '0644', content: { text }, after: after.map((ref) => ({ ref })) },
});

/** Stores a plan and writes a boot configuration that pins it. */
async function giveBootConfig(
  tasks: readonly Task[],
  { pinned, role = 'ControlPlane' }: { readonly pinned?: string; readonly role?: NodePlan['role'] } = {},
): Promise<void> {
  const plan: NodePlan = {
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster: CLUSTER,
    instanceGroup: 'nodes',
    role,
    kubernetesVersion: '1.20.2',
    tasks,
  };
  const bytes = serializePlan(plan);
  const hash = pinned ?? planHash(bytes);
  const planFolder = planFolderOf(role);
  const path = join(folder, 'store', planPath(CLUSTER, planFolder, hash));
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, bytes);
  const stateStore = pathToFileURL(join(folder, 'store')).href;
  const boot = { cloud: 'local', stateStore, cluster: CLUSTER, instanceGroup: 'nodes', planFolder, planHash: hash };
  await writeFile(config, JSON.stringify(boot));
}

const args = (...more: readonly string[]) => [
  NODEUP,
  '--config',
  config,
  '--root',
  root,
  '--facts',
  join(folder, 'facts.json'),
  ...more,
];
const nodeup = (...more: readonly string[]) => execa(process.execPath, args(...more), { reject: false });
const report = async () =>
  JSON.parse(await readFile(join(folder, 'store', CLUSTER, 'nodes/node-1/boot-report.json'), 'utf8')) as {
    readonly result: string;
    readonly machine?: MachineFacts;
    readonly tasks: readonly { readonly task: string; readonly result: string; readonly error?: string }[];
  };

test('nodeup carries out a plan and reports it, and a second run changes nothing', async () => {
  await giveBootConfig([file('address', 'I am @{nodeName} at @{address}\n')]);
  const first = await nodeup();
  expect(first).toMatchObject({ exitCode: 0, stdout: '' });
  expect(first.stderr).toContain('nodeup: task done task=File/address');
  expect(await readFile(join(root, 'etc/demo/address'), 'utf8')).toBe('I am node-1 at 10.0.0.1\n');
  expect(await report()).toMatchObject({ result: 'done', tasks: [{ task: 'File/address', result: 'changed' }] });
  expect((await report()).machine?.processors?.count).toBe(cpus().length);
  const second = await nodeup();
  expect(second.stderr).toContain('run finished changed=0 failed=0');
  expect(await report()).toMatchObject({ result: 'done', tasks: [{ task: 'File/address', result: 'unchanged' }] });
});

test('a worker keeps its report to itself: an authority takes it', async () => {
  await giveBootConfig([file('a', 'new\n')], { role: 'Node' });
  expect(await nodeup()).toMatchObject({ exitCode: 0 });
  const kept = await readFile(join(root, 'var/lib/kops/boot-report.json'), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({ node: 'node-1', result: 'done' });
  expect(await readdir(join(folder, 'store', CLUSTER))).toEqual(['worker-plans']);
});

test('a dry run prints what would change, tells it by its exit code when asked, and changes nothing', async () => {
  await giveBootConfig([file('a', 'new\n')]);
  const before = await readdir(folder, { recursive: true });
  const shown = await nodeup('--dry-run', '--exit-code');
  expect(shown).toMatchObject({ exitCode: 2, stderr: '' });
  expect(shown.stdout).toContain('write /etc/demo/a (mode 0644)');
  expect((await nodeup('--dry-run')).exitCode).toBe(0);
  const json = await nodeup('--dry-run', '-o', 'json');
  expect(JSON.parse(json.stdout)).toMatchObject({ changed: 1 });
  expect(await readdir(folder, { recursive: true })).toEqual(before);
  await nodeup();
  expect(await nodeup('--dry-run', '--exit-code')).toMatchObject({ exitCode: 0 });
});

const drift = async () =>
  JSON.parse(await readFile(join(root, 'var/lib/kops/drift-report.json'), 'utf8')) as DriftReport;

test('a check reports what differs from the plan and changes nothing but its report', async () => {
  await giveBootConfig([file('a', 'wanted\n'), file('b', 'b\n')]);
  await nodeup();
  expect(await nodeup('--check')).toMatchObject({ exitCode: 0 });
  expect(await drift()).toMatchObject({ node: 'node-1', differences: [] });
  await writeFile(join(root, 'etc/demo/a'), 'changed by hand\n');
  const before = await readdir(folder, { recursive: true });
  const checked = await nodeup('--check');
  expect(checked.exitCode).toBe(0);
  expect(checked.stderr).toContain('machine differs task=File/a');
  expect((await drift()).differences).toEqual([
    { task: 'File/a', what: 'write /etc/demo/a (mode 0644)', outcome: 'reported' },
  ]);
  expect(await readdir(folder, { recursive: true })).toEqual(before);
  expect(await readFile(join(root, 'etc/demo/a'), 'utf8')).toBe('changed by hand\n');
});

test('a repair makes the machine again what its plan says, and touches nothing else', async () => {
  await giveBootConfig([file('a', 'wanted\n'), file('b', 'b\n')]);
  await nodeup();
  const untouched = await stat(join(root, 'etc/demo/b'));
  await writeFile(join(root, 'etc/demo/a'), 'changed by hand\n');
  expect(await nodeup('--check', '--repair')).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(root, 'etc/demo/a'), 'utf8')).toBe('wanted\n');
  expect(await drift()).toMatchObject({ differences: [], repaired: { tasks: ['File/a'] } });
  expect((await stat(join(root, 'etc/demo/b'))).ino).toBe(untouched.ino);
  // The next check finds nothing, and the report still tells what was repaired.
  await nodeup('--check', '--repair');
  expect(await drift()).toMatchObject({ differences: [], repaired: { tasks: ['File/a'] } });
});

test('what a repair cannot fix is reported with the reason', async () => {
  await giveBootConfig([file('a', 'a'), file('b', 'b')]);
  await nodeup();
  await rm(join(root, 'etc/demo/a'));
  await mkdir(join(root, 'etc/demo/a/kept'), { recursive: true });
  await writeFile(join(root, 'etc/demo/b'), 'other');
  expect(await nodeup('--check', '--repair')).toMatchObject({ exitCode: 0 });
  expect(await drift()).toMatchObject({
    differences: [{ task: 'File/a', outcome: 'failed', why: expect.stringContaining('a folder is there') }],
    repaired: { tasks: ['File/b'] },
  });
});

/** The hash that the boot configuration pins. */
const planned = async () => (JSON.parse(await readFile(config, 'utf8')) as { readonly planHash: string }).planHash;

test('another plan of the group is taken over, and the next run carries it out; one that needs a new machine is refused', async () => {
  await giveBootConfig([file('a', 'new\n')]);
  const next = await planned();
  await giveBootConfig([file('a', 'mounted\n'), { kind: 'KernelModule', name: 'm', props: { name: 'm' } }]);
  const rigid = await planned();
  await giveBootConfig([file('a', 'old\n')]);
  const first = await planned();
  await nodeup();
  const refused = await nodeup('--adopt', rigid);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('KernelModule/m: a machine keeps') });
  expect(await planned()).toBe(first);
  expect(await nodeup('--adopt', next)).toMatchObject({ exitCode: 0 });
  expect(await planned()).toBe(next);
  expect(await readFile(join(root, 'etc/demo/a'), 'utf8')).toBe('old\n');
  await nodeup();
  expect(await readFile(join(root, 'etc/demo/a'), 'utf8')).toBe('new\n');
});

test('a plan that is taken over is on the disk before nodeup says so', async () => {
  await giveBootConfig([file('a', 'new\n')]);
  const next = await planned();
  await giveBootConfig([file('a', 'old\n')]);
  const trace = join(folder, 'trace');
  // -y names the file of each descriptor.
  const strace = ['-f', '-qq', '-y', '-e', 'trace=fsync,rename', '-e', 'signal=none', '-o', trace, process.execPath];
  expect(await execa('strace', [...strace, ...args('--adopt', next)], { reject: false })).toMatchObject({
    exitCode: 0,
  });
  const calls = (await readFile(trace, 'utf8')).replaceAll(/\s+/g, ' ');
  expect(calls).toMatch(/fsync\(\d+<[^>]*boot\.json[^>]*>[^]*rename\([^)]*\/boot\.json"[^]*fsync\(\d+</);
});

test('a failed task stops only its dependents, is reported with a hint, and sets the exit code', async () => {
  await mkdir(join(root, 'etc/demo/blocked/kept'), { recursive: true });
  await giveBootConfig([file('blocked', 'a'), file('needy', 'b', ['File/blocked']), file('free', 'c')]);
  const failed = await nodeup();
  expect(failed.exitCode).toBe(1);
  expect(failed.stderr).toMatch(/task=File\/blocked error="cannot write .*: a folder is there.*" next=".*mv /);
  expect((await report()).result).toBe('failed');
  expect(Object.fromEntries((await report()).tasks.map(({ task, result }) => [task, result]))).toEqual({
    'File/blocked': 'failed',
    'File/needy': 'skipped',
    'File/free': 'changed',
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'on a full disk no file is lost, the log says what is wrong, and the boot continues once there is space',
  async () => {
    await execa('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root]);
    try {
      await giveBootConfig([file('a', 'old\n')]);
      expect(await nodeup()).toMatchObject({ exitCode: 0 });
      await giveBootConfig([file('a', 'new\n'.repeat(64 * 1024))]);
      const { bavail, bsize } = await statfs(root);
      await writeFile(join(root, 'filler'), Buffer.alloc(Math.max(0, bavail - 16) * bsize));
      const running = nodeup();
      const told = Promise.withResolvers<string>();
      createInterface(running.stderr).on('line', (line) => {
        if (line.includes('File/a')) told.resolve(line);
      });
      expect(await told.promise).toMatch(/cannot write .*its file system is full.* inMs=\d+$/);
      expect(await readFile(join(root, 'etc/demo/a'), 'utf8')).toBe('old\n');
      await rm(join(root, 'filler'));
      expect(await running).toMatchObject({ exitCode: 0 });
      expect((await readFile(join(root, 'etc/demo/a'), 'utf8')).length).toBe(4 * 64 * 1024);
      expect(await readdir(join(root, 'etc/demo'))).toEqual(['a']);
    } finally {
      await execa('umount', [root]);
    }
  },
);

test('a plan with another hash than the user-data pins is refused before it is parsed', async () => {
  await giveBootConfig([file('a', 'a')], { pinned: 'f'.repeat(64) });
  const refused = await nodeup();
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/cannot read the node plan .*its SHA-256 is [0-9a-f]{64}" next=/);
  expect(await readdir(root)).toEqual([]);
});

test('a boot without the state store uses the saved plan, and warns that the report is not stored', async () => {
  await giveBootConfig([file('a', 'a')]);
  await nodeup();
  await rm(join(folder, 'store'), { recursive: true });
  await writeFile(join(folder, 'store'), 'no folder any more');
  await rm(join(root, 'etc'), { recursive: true });
  const again = await nodeup();
  expect(again.exitCode).toBe(0);
  expect(await readFile(join(root, 'etc/demo/a'), 'utf8')).toBe('a');
  expect(again.stderr.match(/boot report not written where="state store"/g)).toHaveLength(1);
});

test('the saved plan is for root alone, also where an earlier nodeup saved it for all', async () => {
  await giveBootConfig([file('a', 'a')]);
  const saved = join(root, 'var/lib/kops/node-plan.json');
  const modes = async () => [(await stat(saved)).mode & 0o777, (await stat(join(saved, '..'))).mode & 0o777];
  await nodeup();
  expect(await modes()).toEqual([0o600, 0o755]);
  await chmod(saved, 0o644);
  await nodeup();
  expect(await modes()).toEqual([0o600, 0o755]);
  // What an interrupted write left behind.
  await chmod(saved, 0o644);
  await rename(saved, join(root, 'var/lib/kops/.node-plan.json.kops-new'));
  await nodeup();
  expect(await modes()).toEqual([0o600, 0o755]);
});

test('bad arguments and a missing or broken boot configuration are one clear error', async () => {
  expect(await nodeup('--nonsense')).toMatchObject({ exitCode: 3 });
  const missing = await nodeup();
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toMatch(/^nodeup: failed error="cannot read the boot configuration .*ENOENT.*" next=.*\n?$/);
  // A dry run opens its log only for this line.
  expect((await nodeup('--dry-run')).stderr).toBe(missing.stderr);
  await writeFile(config, '{"cloud":"local"}');
  expect((await nodeup()).stderr).toContain('stateStore: expected a string, found nothing; cluster: expected');
});

/** Starts nodeup and sends it a signal at the first line that contains this text. */
async function interrupted(text: string, signal: 'SIGKILL' | 'SIGTERM') {
  const child = spawn(process.execPath, args('--concurrency', '1'), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines: string[] = [];
  let isHit = false;
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    if (!line.includes(text) || isHit) continue;
    isHit = true;
    child.kill(signal);
  }
  return { exitCode: await ended, lines, isHit };
}

test('killed at every task boundary, the next run converges to the same state', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  await giveBootConfig(
    names.map((name, index) =>
      file(
        name,
        name,
        names.slice(0, index).map((one) => `File/${one}`),
      ),
    ),
  );
  let kills = 0;
  while ((await interrupted(' task done ', 'SIGKILL')).isHit) {
    kills += 1;
    expect(kills).toBeLessThan(20);
  }
  // On a busy machine it finishes one more task before the signal arrives.
  expect(kills).toBeGreaterThanOrEqual(Math.floor(names.length / 2));
  expect((await readdir(join(root, 'etc/demo'))).toSorted()).toEqual(names);
  expect(await nodeup('--dry-run', '--exit-code')).toMatchObject({ exitCode: 0 });
  expect((await report()).result).toBe('done');
});

test('SIGTERM ends it quietly, and the report names the skipped tasks', async () => {
  // Nothing listens on this port, so the task is retried until the end.
  const never = { kind: 'Asset', name: 'never', props: { urls: ['http://127.0.0.1:9/a'], sha256: 'a'.repeat(64) } };
  await giveBootConfig([file('a', 'a'), never]);
  const { exitCode, lines, isHit } = await interrupted(' inMs=', 'SIGTERM');
  expect(isHit).toBe(true);
  expect(exitCode).toBe(1);
  expect(lines.join('\n')).not.toMatch(/AbortError|aborted|at .*\.ts:/);
  const tasks = (await report()).tasks.map(({ task, result }) => `${task} ${result}`);
  expect(tasks.toSorted()).toEqual(['Asset/never skipped', 'File/a changed']);
});
