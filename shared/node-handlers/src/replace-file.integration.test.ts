import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile } from './replace-file.ts';

const SIZE = 8 << 20;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-replace-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

test('a process killed while it writes leaves the old file or the new one, and the next write cleans up', async () => {
  const path = join(folder, 'file');
  await replaceFile(path, Buffer.alloc(SIZE, 'a'), 0o644, undefined);
  const module = JSON.stringify(new URL('replace-file.ts', import.meta.url).href);
  const program = `const { replaceFile } = await import(${module});
    for (;;) for (const letter of 'ba') {
      await replaceFile(${JSON.stringify(path)}, Buffer.alloc(${SIZE}, letter), 0o644, undefined);
      process.stdout.write('.');
    }`;
  for (let turn = 0; turn < 8; turn += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    // Somewhere in one of the writes that follow.
    await new Promise((wake) => setTimeout(wake, turn * 3));
    child.kill('SIGKILL');
    await ended;
    const found = await readFile(path);
    expect(found.length).toBe(SIZE);
    expect(found.equals(Buffer.alloc(SIZE, found.subarray(0, 1)))).toBe(true);
  }
  await replaceFile(path, Buffer.from('done'), 0o600, undefined);
  expect(await readdir(folder)).toEqual(['file']);
});
