import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { buildCliBundle } from '@kopsctl/packaging-binary/build.ts';
import type { Bundle } from '@kopsctl/packaging-binary/bundle.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { debianPackage } from './debian-package.ts';
import { npmPackage } from './npm-package.ts';

const DATE_SECONDS = 1_700_000_000;
const VERSION = '1.2.3';

let dir: string;
let cli: Bundle;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-packages-'));
  cli = await buildCliBundle();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Makes the package in two folders, with another umask the second time. */
async function twice(make: (out: string) => Promise<string>): Promise<string> {
  const files: string[] = [];
  for (const umask of [0o022, 0o077]) {
    const before = process.umask(umask);
    const out = await mkdtemp(path.join(dir, 'out-'));
    files.push(path.join(out, await make(out)));
    process.umask(before);
  }
  const [first = '', second = ''] = files;
  expect((await readFile(first)).equals(await readFile(second))).toBe(true);
  return first;
}

test('the npm package installs, starts, and is the same when it is made again', async () => {
  const file = await twice((out) =>
    npmPackage({ version: VERSION, bundle: cli, license: 'a license', dateSeconds: DATE_SECONDS }, out),
  );
  const project = path.join(dir, 'project');
  await mkdir(project);
  await execa('npm', ['install', '--offline', '--no-audit', '--no-fund', `--prefix=${project}`, file]);
  const starter = path.join(project, 'node_modules/.bin/kopsctl');
  // The first `node` on the path of the project is its own.
  const { stdout } = await execa(process.execPath, [starter, 'get', '--help']);
  expect(stdout).toContain('Usage: kopsctl get');
});

test('the Debian package holds program, manual and completion, and is the same when it is made again', async () => {
  const kopsctl = path.join(dir, 'kopsctl');
  await writeFile(kopsctl, '#!/bin/sh\necho started "$@"\n');
  await chmod(kopsctl, 0o700);
  const file = await twice((out) =>
    debianPackage({ version: VERSION, arch: 'amd64', kopsctl, license: 'a license', dateSeconds: DATE_SECONDS }, out),
  );
  const root = path.join(dir, 'root');
  await execa('dpkg-deb', ['--extract', file, root]);
  expect((await execa(path.join(root, 'usr/bin/kopsctl'), ['version'])).stdout).toBe('started version');
  const { stdout: listed } = await execa('dpkg-deb', ['--contents', file]);
  expect(listed).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/kopsctl$/m);
  expect(listed).toMatch(/^-rw-r--r-- root\/root .* \.\/usr\/share\/man\/man1\/kopsctl-get\.1\.gz$/m);
  expect(listed).toContain('./usr/share/bash-completion/completions/kopsctl');
  expect((await execa('dpkg-deb', ['--field', file, 'Version', 'Architecture'])).stdout).toBe(
    `Version: ${VERSION}\nArchitecture: amd64`,
  );
});
