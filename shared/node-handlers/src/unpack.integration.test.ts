import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
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

test('an archive that is cut short is an error, not less', async () => {
  const whole = await tarOf({ name: 'a' }, { name: 'b' });
  await expect(unpacked(whole.subarray(0, 700))).rejects.toThrow(/end of data/i);
  await expect(unpacked(gzipSync(whole).subarray(0, 60))).rejects.toThrow(/end of/i);
});
