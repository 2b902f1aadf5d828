import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ConsoleLog, openConsoleLog } from './console-log.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('SKIPPED: consoles on a full disk, because a small file system can be mounted by root alone');

let folder: string;
let path: string;
let log: ConsoleLog | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-console-'));
  path = join(folder, 'disk', 'console.log');
  await mkdir(join(folder, 'disk'));
});
afterEach(async () => {
  log?.close();
  log = undefined;
  await rm(folder, { recursive: true });
});

/** Runs `work` while the folder of the console is a file system of its own. */
async function onSmallDisk(options: string, work: () => Promise<void>): Promise<void> {
  await execa('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', join(folder, 'disk')]);
  try {
    await work();
  } finally {
    // The console is open until the end of the test.
    await execa('umount', ['--lazy', join(folder, 'disk')]);
  }
}

const contents = (name = path): Promise<string> => readFile(name, 'utf8');

test('A full file becomes the earlier one, and a new file begins', async () => {
  log = openConsoleLog(path, 10);
  for (const line of ['first\n', 'second\n', 'third\n']) log.write(Buffer.from(line));
  expect(await contents()).toBe('third\n');
  expect(await contents(`${path}.1`)).toBe('second\n');
});

test.skipIf(!isRoot)(
  'Lines that a full disk does not take are lost, and the console says so when it has space again',
  () =>
    onSmallDisk('size=64k', async () => {
      log = openConsoleLog(path);
      log.write(Buffer.from('before\n'));
      const filler = join(folder, 'disk', 'filler');
      await writeFile(filler, Buffer.alloc(64 * 1024)).catch(() => undefined);
      log.write(Buffer.alloc(8 * 1024, 'x'));
      log.write(Buffer.alloc(8 * 1024, 'y'));
      await rm(filler);
      log.write(Buffer.from('after\n'));
      log.write(Buffer.from('later\n'));
      expect(await contents()).toMatch(
        /^before\nx*\n\[kopsctl: output is missing here: ENOSPC: [^\n]*\]\nafter\nlater\n$/,
      );
    }),
);

test.skipIf(!isRoot)('A console whose next file cannot be made goes on when it can', () =>
  // tmpfs(5): one for the root, one for the console, one for the filler.
  onSmallDisk('nr_inodes=3', async () => {
    const filler = join(folder, 'disk', 'filler');
    await writeFile(filler, '');
    log = openConsoleLog(path, 10);
    log.write(Buffer.from('first\n'));
    log.write(Buffer.from('second\n'));
    await rm(filler);
    log.write(Buffer.from('third\n'));
    expect(await contents(`${path}.1`)).toBe('first\n');
    expect(await contents()).toMatch(/^\n\[kopsctl: output is missing here: ENOSPC: [^\n]*\]\nthird\n$/);
  }),
);
