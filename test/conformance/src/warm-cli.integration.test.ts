import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { cli, repository } from './recorded-cases.ts';
import { runCli } from './warm-cli.ts';

const SPEC = join(repository, 'examples/quickstart.yaml');

async function emptyStore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-warm-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return `file://${folder}`;
}

/** Lines that succeed, that fail, that are wrong, and that say what they do as JSON or for people. */
const LINES: readonly (readonly string[])[] = [
  ['get', 'clusters'],
  ['create', '-f', SPEC, '-o', 'json'],
  ['create', '-f', SPEC],
  ['get', 'instancegroups', '--name', 'quickstart.local.test', '-o', 'json'],
  ['get', 'clusters', '--no-such-flag'],
  ['get', 'clusters'],
  ['version'],
];

test('commands in one process end as they do in a process each', { timeout: 120_000 }, async () => {
  const [warm, alone] = [await emptyStore(), await emptyStore()];
  for (const argv of LINES) {
    const here = await runCli(argv, { KOPS_STATE_STORE: warm });
    const env = { KOPS_STATE_STORE: alone };
    const { exitCode, stdout, stderr } = await execa(cli[0], [cli[1], ...argv], { reject: false, env });
    const told = { exitCode, stdout: stdout.replaceAll(alone, warm), stderr: stderr.replaceAll(alone, warm) };
    expect({ argv, ...here }).toEqual({ argv, ...told });
  }
});

test('the environment of a command is gone with it', async () => {
  const [first, second] = [await emptyStore(), await emptyStore()];
  await runCli(['create', '-f', SPEC], { KOPS_STATE_STORE: first });
  const [there, elsewhere] = await Promise.all(
    [first, second].map((store) => runCli(['get', 'clusters'], { KOPS_STATE_STORE: store })),
  );
  expect(there).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('quickstart.local.test') });
  expect(elsewhere).toMatchObject({ stdout: expect.not.stringContaining('quickstart.local.test') });
  expect((await runCli(['get', 'clusters'])).stdout).not.toContain('quickstart.local.test');
});
