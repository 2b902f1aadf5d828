import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-history-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function kopsctl(...argv: readonly string[]) {
  const main = join(import.meta.dirname, '../../../dist/kopsctl.cjs');
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main, ...argv], {
    env: { KOPS_STATE_STORE: `file://${folder}/state`, EDITOR: 'false' },
    reject: false,
  });
  return { exitCode, stdout, stderr };
}

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

test('a cluster is drawn as it would be made, without a cloud', async () => {
  await kopsctl('create', 'cluster', 'demo.example.com', '--cloud=aws', '--zones=eu-west-1a', '--offline');
  const drawn = (await kopsctl('graph')).stdout;
  expect(drawn).toContain('"group/control-plane-eu-west-1a" -> "etcd/main" [label="member a"];');
  const { stdout } = await kopsctl('graph', '--instance-group', 'nodes-eu-west-1a', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ title: 'Tasks of machines of nodes-eu-west-1a' });
  const refused = await kopsctl('graph', '--instance-group', 'nods');
  expect(refused.stderr).toContain('name one of control-plane-eu-west-1a, nodes-eu-west-1a');
});
