import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink as link, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpack } from './unpack.ts';

type Entry = Partial<Header> & { readonly name: string };

const signal = new AbortController().signal;
let folder: string;
let into: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-unpack-'));
  into = join(folder, 'into');
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function tarOf(...entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const entry of entries) {
    if (entry.type === undefined) tar.entry(entry, 'content');
    else tar.entry(entry);
  }
  tar.finalize();
  return buffer(tar);
}

async function unpacked(bytes: Uint8Array, strip = 0) {
  await writeFile(join(folder, 'archive'), bytes);
  return unpack(join(folder, 'archive'), into, strip, signal);
}

test.each([
  ['tar', (bytes: Buffer) => bytes],
  ['tar.gz', (bytes: Buffer) => gzipSync(bytes)],
  ['tar.zst', (bytes: Buffer) => zstdCompressSync(bytes)],
])('a %s is unpacked with modes, whatever its name', async (_name, compress) => {
  await unpacked(compress(await tarOf({ name: './release/bin/tool', mode: 0o755 })), 1);
  expect(await readFile(join(into, 'bin/tool'), 'utf8')).toBe('content');
  expect((await stat(join(into, 'bin/tool'))).mode & 0o777).toBe(0o755);
});

const symlink = (name: string, linkname: string): Entry => ({ name, linkname, type: 'symlink' });

test.each<[string, readonly Entry[]]>([
  ['a path with ..', [{ name: 'a/../../outside' }]],
  ['an absolute path', [{ name: '/outside' }]],
  ['a link to an absolute path', [symlink('link', '/etc')]],
  ['a link that leads outside', [symlink('link', '../outside')]],
  ['a path through a link of the same archive', [symlink('a/b', '.'), { name: 'a/b/c' }]],
  ['links that lead outside only together', [symlink('a/b/c', '../../d'), symlink('a/b/c/e', '../../outside')]],
  ['a hard link', [{ name: 'link', linkname: '/etc/shadow', type: 'link' }]],
  ['a device', [{ name: 'null', type: 'character-device' }]],
])('%s is refused', async (_what, entries) => {
  await expect(unpacked(await tarOf(...entries))).rejects.toThrow('cannot unpack');
  expect(await readdir(folder)).not.toContain('outside');
});

/** One of these links leads outside only through another: `a/b/c` is `d`, and what is above `d` is not what is above `a/b/c`. */
const leadsOutside = (name: string): readonly Entry[] => [
  { name: 'd/file' },
  symlink('a/b/c', '../../d'),
  symlink(name, 'a/b/c/../../outside'),
];

test('an archive does not write through the links of an earlier one', async () => {
  await mkdir(join(folder, 'outside'));
  // A link that leads outside is itself refused; nothing is written through a link that was there before.
  await unpacked(await tarOf(...leadsOutside('link'))).catch(() => undefined);
  await unpacked(await tarOf({ name: 'link/file' })).catch(() => undefined);
  expect(await readdir(join(folder, 'outside'))).toEqual([]);
});

test.each<[string, readonly Entry[]]>([
  ['a file below a link', [{ name: 'link/file' }]],
  ['a file far below a link', [{ name: 'link/a/b/file' }]],
  ['a folder that is a link', [{ name: 'link', type: 'directory' }]],
  ['a folder below a link', [{ name: 'link/folder/', type: 'directory' }]],
  ['a link below a link', [symlink('link/inner', 'x')]],
])('a link that was in the folder before is not followed: %s', async (_what, entries) => {
  await mkdir(join(folder, 'outside'));
  await mkdir(into, { recursive: true });
  await link('../outside', join(into, 'link'));
  await expect(unpacked(await tarOf(...entries))).rejects.toThrow('cannot unpack');
  expect(await readdir(join(folder, 'outside'))).toEqual([]);
});

test('a link with the name under which a file is written first is not written through', async () => {
  await writeFile(join(folder, 'outside'), 'as it was');
  const entries = [...leadsOutside('.tool.kops-new'), { name: 'tool' }];
  await unpacked(await tarOf(...entries)).catch(() => undefined);
  expect(await readFile(join(folder, 'outside'), 'utf8')).toBe('as it was');

  await mkdir(into, { recursive: true });
  await rm(join(into, '.tool.kops-new'), { force: true });
  await link('../outside', join(into, '.tool.kops-new'));
  await unpacked(await tarOf({ name: 'tool' })).catch(() => undefined);
  expect(await readFile(join(folder, 'outside'), 'utf8')).toBe('as it was');
});

test.each([
  ['lib/a/link', '../b/file'],
  ['lib/a/link', '..'],
  ['lib/link', '../top'],
  ['lib/link', '.'],
  ['link', 'lib/a'],
])('a link within the folder is made: %s -> %s', async (name, destination) => {
  await unpacked(await tarOf(symlink(name, destination)));
  expect(await readlink(join(into, name))).toBe(destination);
});

test.each([
  ['lib/link', '..'],
  ['link', '.'],
  ['lib/link', '../..'],
  ['lib/link', '../../lib'],
  ['lib/link', 'a/../b'],
])('a link to the folder itself, out of it or through another is refused: %s -> %s', async (name, destination) => {
  await expect(unpacked(await tarOf(symlink(name, destination)))).rejects.toThrow('cannot unpack');
});

test('a file takes the place of a link, and does not go where it leads', async () => {
  await writeFile(join(folder, 'outside'), 'as it was');
  await mkdir(into, { recursive: true });
  await link('../outside', join(into, 'tool'));
  await unpacked(await tarOf({ name: 'tool' }));
  expect(await readFile(join(into, 'tool'), 'utf8')).toBe('content');
  expect(await readFile(join(folder, 'outside'), 'utf8')).toBe('as it was');
});

test('what an interrupted run left is written again', async () => {
  await mkdir(into, { recursive: true });
  await writeFile(join(into, '.tool.kops-new'), 'longer than the content of the tool');
  await unpacked(await tarOf({ name: 'tool' }));
  expect(await readFile(join(into, 'tool'), 'utf8')).toBe('content');
  expect(await readdir(into)).toEqual(['tool']);
});

test('the folder itself may be reached through a link of the machine', async () => {
  await mkdir(join(folder, 'real'));
  await link('real', into);
  await unpacked(await tarOf({ name: 'bin/tool' }, { name: 'bin/', type: 'directory' }));
  expect(await readFile(join(folder, 'real/bin/tool'), 'utf8')).toBe('content');
});

test('an archive that is not there is an error of unpacking, and of nothing else', async () => {
  const uncaught: unknown[] = [];
  const keep = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', keep);
  await expect(unpack(join(folder, 'archive'), into, 0, signal)).rejects.toThrow('ENOENT');
  // Whatever opened the file at that time has found out when this fails, which begins later and does the same.
  await expect(buffer(createReadStream(join(folder, 'archive')))).rejects.toThrow('ENOENT');
  process.off('uncaughtException', keep);
  expect(uncaught).toEqual([]);
});

test('an archive that cannot be read is closed', async () => {
  await expect(unpack(folder, into, 0, signal)).rejects.toThrow('EISDIR');
  const open = await readdir('/proc/self/fd');
  const paths = await Promise.all(open.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')));
  expect(paths).not.toContain(folder);
});

test('an archive that is cut short is an error, not less', async () => {
  const whole = await tarOf({ name: 'a' }, { name: 'b' });
  await expect(unpacked(whole.subarray(0, 700))).rejects.toThrow(/end of data/i);
  await expect(unpacked(gzipSync(whole).subarray(0, 60))).rejects.toThrow(/end of/i);
});
