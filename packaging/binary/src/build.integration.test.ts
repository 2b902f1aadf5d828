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
  test.each(AGENT_NAMES)('start %s through a link with its name', async (name) => {
    const { stdout } = await execa(path.join(dir, name), ['--version']);
    expect(stdout).toMatch(new RegExp(`^${name} \\d`));
  });

  test('start an agent by its name as the first argument', async () => {
    const { stdout } = await execa(binaries.agents, ['protokube', '--version']);
    expect(stdout).toMatch(/^protokube \d/);
  });

  test('run on a machine without Node', async () => {
    const { stdout } = await execa(binaries.kopsctl, ['--version'], {
      env: { PATH: '/nonexistent' },
      extendEnv: false,
    });
    expect(stdout).toMatch(/^kopsctl \d/);
  });

  test('do not load code that NODE_OPTIONS names', async () => {
    const env = { NODE_OPTIONS: '--require /nonexistent.cjs' };
    const { exitCode } = await execa(path.join(dir, 'nodeup'), ['--version'], { env });
    expect(exitCode).toBe(0);
  });

  test('exit with 3 on wrong usage', async () => {
    const { exitCode } = await execa(binaries.agents, ['no-such-agent'], { reject: false });
    expect(exitCode).toBe(3);
  });

  test('find the exports of lazily loaded packages', async () => {
    // yaml is a CommonJS package. The state folder is empty, so only the kubeconfig is read.
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

  test('are not rebuilt from unchanged sources', async () => {
    const lines: string[] = [];
    await buildBinaries({ log: (line) => lines.push(line) });
    expect(lines.toSorted()).toEqual(['dist/kops-agents: unchanged', 'dist/kopsctl: unchanged']);
  });

  test('are built once by two concurrent builds', async () => {
    const build = path.join(import.meta.dirname, 'build.ts');
    rmSync(path.join(path.dirname(binaries.agents), '.build', 'kops-agents.key'));
    const both = await Promise.all([1, 2].map(() => execa(process.execPath, [build])));
    const said = both.map(({ stderr }) => /kops-agents: (built|unchanged)/.exec(stderr)?.[1] ?? stderr);
    expect(said.toSorted()).toEqual(['built', 'unchanged']);
  });
});
