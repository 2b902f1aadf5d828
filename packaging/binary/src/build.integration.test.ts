import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildBinaries } from './build.ts';
import type { Binaries } from './build.ts';
import { AGENT_NAMES } from './choose-agent.ts';

let dir: string;
let binaries: Binaries;
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'kops-binary-'));
  binaries = await buildBinaries({ log: () => {} });
  for (const name of AGENT_NAMES) symlinkSync(binaries.agents, path.join(dir, name));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the single executables', () => {
  test.each(AGENT_NAMES)('%s is started by a link of its name', async (name) => {
    const { stdout } = await execa(path.join(dir, name), ['--version']);
    expect(stdout).toMatch(new RegExp(`^${name} \\d`));
  });

  test('an agent is started by its name as an argument', async () => {
    const { stdout } = await execa(binaries.agents, ['protokube', '--version']);
    expect(stdout).toMatch(/^protokube \d/);
  });

  test('run on a machine that has no Node', async () => {
    const { stdout } = await execa(binaries.kopsctl, ['--version'], {
      env: { PATH: '/nonexistent' },
      extendEnv: false,
    });
    expect(stdout).toMatch(/^kopsctl \d/);
  });

  test('load no foreign code that the environment names', async () => {
    const env = { NODE_OPTIONS: '--require /nonexistent.cjs' };
    const { exitCode } = await execa(path.join(dir, 'nodeup'), ['--version'], { env });
    expect(exitCode).toBe(0);
  });

  test('tell wrong usage with 3', async () => {
    const { exitCode } = await execa(binaries.agents, ['no-such-agent'], { reject: false });
    expect(exitCode).toBe(3);
  });

  test('find what their lazily loaded packages export', async () => {
    // yaml is CommonJS; the state folder is empty, so that nothing but the kubeconfig is read.
    const state = `file://${path.join(dir, 'state')}`;
    writeFileSync(path.join(dir, 'kubeconfig'), 'apiVersion: v1\nkind: Config\n');
    const { exitCode, stderr } = await execa(
      binaries.kopsctl,
      ['delete', 'cluster', 'gone.local.test', '--yes', '--state', state],
      { env: { KUBECONFIG: path.join(dir, 'kubeconfig'), KOPSCTL_LOCAL_DIR: path.join(dir, 'local') }, reject: false },
    );
    expect(stderr).not.toContain('is not a function');
    expect(exitCode).not.toBe(2);
  });

  test('are not built again from the same sources', async () => {
    const lines: string[] = [];
    await buildBinaries({ log: (line) => lines.push(line) });
    expect(lines.toSorted()).toEqual(['dist/kops-agents: unchanged', 'dist/kopsctl: unchanged']);
  });

  test('are built once by two who build at the same time', async () => {
    const build = path.join(import.meta.dirname, 'build.ts');
    rmSync(path.join(path.dirname(binaries.agents), '.build', 'kops-agents.key'));
    const both = await Promise.all([1, 2].map(() => execa(process.execPath, [build])));
    const said = both.map(({ stderr }) => /kops-agents: (built|unchanged)/.exec(stderr)?.[1] ?? stderr);
    expect(said.toSorted()).toEqual(['built', 'unchanged']);
  });
});
