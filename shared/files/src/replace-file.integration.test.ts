import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
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

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

test.each([true, false])('content and mode are as wanted, whatever was there (durable: %s)', async (durable) => {
  const path = join(folder, 'file');
  await replaceFile(path, 'old', { mode: 0o600, durable });
  expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['old', 0o600]);
  await chmod(path, 0o777);
  await replaceFile(path, Buffer.from('new'), { mode: 0o2644, durable });
  expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['new', 0o2644]);
  expect(await readdir(folder)).toEqual(['file']);
});

test('a copy has the content of its source and the mode that is asked for', async () => {
  await writeFile(join(folder, 'source'), 'x', { mode: 0o400 });
  await replaceFile(join(folder, 'copy'), { copyOf: join(folder, 'source') }, { mode: 0o755 });
  expect([await readFile(join(folder, 'copy'), 'utf8'), await modeOf(join(folder, 'copy'))]).toEqual(['x', 0o755]);
});

test('folders above are made only where a mode for them is given', async () => {
  const path = join(folder, 'a', 'b', 'file');
  await expect(replaceFile(path, '', { mode: 0o600 })).rejects.toThrow('ENOENT');
  await replaceFile(path, 'x', { mode: 0o600, folderMode: 0o700 });
  expect([await readFile(path, 'utf8'), await modeOf(join(folder, 'a'))]).toEqual(['x', 0o700]);
});

test.each([true, false])('where no folder can be made, the write fails (durable: %s)', async (durable) => {
  await expect(replaceFile('/proc/nope/file', '', { mode: 0o600, folderMode: 0o700, durable })).rejects.toThrow(
    'ENOENT',
  );
});

test('a write that fails leaves what was there and nothing else', async () => {
  const path = join(folder, 'taken');
  await mkdir(path);
  await expect(replaceFile(path, 'x', { mode: 0o600 })).rejects.toThrow('EISDIR');
  expect(await readdir(folder)).toEqual(['taken']);
});

test('of many writers at once one wins, with a whole file', async () => {
  const path = join(folder, 'file');
  const write = (letter: string) =>
    replaceFile(path, Buffer.alloc(SIZE, letter), { mode: 0o600, durable: false, hasManyWriters: true });
  await Promise.all(['a', 'b', 'c', 'd'].map(write));
  const found = await readFile(path);
  expect(found.equals(Buffer.alloc(SIZE, found.subarray(0, 1)))).toBe(true);
  expect(await readdir(folder)).toEqual(['file']);
});

test('a process killed while it writes leaves the old file or the new one, and the next write cleans up', async () => {
  const path = join(folder, 'file');
  const options = { mode: 0o644, durable: false };
  await replaceFile(path, Buffer.alloc(SIZE, 'a'), options);
  const module = JSON.stringify(new URL('replace-file.ts', import.meta.url).href);
  const program = `const { replaceFile } = await import(${module});
    for (;;) for (const letter of 'ba') {
      await replaceFile(${JSON.stringify(path)}, Buffer.alloc(${SIZE}, letter), ${JSON.stringify(options)});
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
  await replaceFile(path, 'done', options);
  expect(await readdir(folder)).toEqual(['file']);
});
