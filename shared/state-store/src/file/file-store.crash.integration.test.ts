import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { createFileStore } from './file-store.ts';

const WRITER = fileURLToPath(new URL('testdata/counting-writer.ts', import.meta.url));

let folder: string;
let url: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-file-store-'));
  url = pathToFileURL(folder).href;
});
afterEach(() => rm(folder, { recursive: true }));

/** A process that increments an object as fast as it can, and prints each number that it has written. */
function startWriter(
  size: number,
  onReport: () => void,
): { readonly child: ChildProcess; readonly written: () => number } {
  const child = spawn(process.execPath, [WRITER, url, String(size)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let written = 0;
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    written += lines.length;
    if (lines.length > 0) onReport();
  });
  return { child, written: () => written };
}

async function kill(child: ChildProcess): Promise<void> {
  // What it has printed is read to its end.
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

test('Processes that are killed at any point lose no write they reported, tear nothing and leave no lock', async () => {
  const store = createFileStore(url);
  let reported = 0;
  let mostUnreported = 0;
  for (let round = 0; round < often(12, 500); round += 1) {
    // While one writer reports, each of the others is somewhere in a write of its own.
    const enough = Promise.withResolvers<void>();
    let left = 1 + Math.floor(Math.random() * 8);
    const onReport = () => {
      left -= 1;
      if (left === 0) enough.resolve();
    };
    const writers = Array.from({ length: 3 }, () => startWriter(300_000, onReport));
    await enough.promise;
    await Promise.all(writers.map((writer) => kill(writer.child)));
    for (const writer of writers) reported += writer.written();
    mostUnreported += writers.length;

    const stored = await store.read('demo/counter');
    if (stored === undefined) throw new Error('the counter that was written is gone');
    const [count = '', ...padding] = Buffer.from(stored.bytes).toString().split(' ');
    expect(padding.join('')).toMatch(/^x+$/);
    expect(stored.bytes.byteLength).toBe(300_000);
    expect(Number(count)).toBeGreaterThanOrEqual(reported);
    expect(Number(count)).toBeLessThanOrEqual(reported + mostUnreported);
    await store.write('demo/probe', Buffer.from('free'), { ifAbsent: true });
    await store.delete('demo/probe', { ifVersion: (await store.read('demo/probe'))?.version ?? '' });
    expect((await store.list('')).map((entry) => entry.path)).toEqual(['demo/counter']);
  }
});

test('What a killed writer left is never listed; a file of a living one stays, even if clocks are set while it writes', async () => {
  const store = createFileStore(url);
  const temporaries = join(folder, '.kopsctl-store', 'tmp');
  await mkdir(temporaries, { recursive: true });
  await writeFile(join(temporaries, 'half-written'), 'half');
  await utimes(join(temporaries, 'half-written'), 0, 0);
  expect(await store.list('')).toEqual([]);
  await store.write('demo/config', Buffer.from('x'), { ifAbsent: true });
  await store.write('demo/other', Buffer.from('x'), { ifAbsent: true });
  expect(await readdir(temporaries)).toEqual(['half-written']);
});

test('Keys, secrets and backups are readable by their owner alone', async () => {
  const store = createFileStore(url);
  const modeOf = async (path: string) => ((await stat(join(folder, path))).mode & 0o777).toString(8);
  const backup = 'demo/backups/etcd/main/2026-11-29T20:00:00Z-000001/etcd.backup.gz';
  for (const path of ['demo/config', 'demo/pki/private/ca/keyset.yaml', 'demo/secrets/admin', backup]) {
    await store.write(path, Buffer.from('x'), { ifAbsent: true });
  }
  expect(await modeOf(backup)).toBe('600');
  expect(await modeOf('demo/config')).toBe('644');
  expect(await modeOf('demo/pki/private/ca/keyset.yaml')).toBe('600');
  expect(await modeOf('demo/pki/private')).toBe('700');
  expect(await modeOf('demo/secrets/admin')).toBe('600');
  const { version } = (await store.read('demo/secrets/admin')) ?? { version: '' };
  await store.write('demo/secrets/admin', Buffer.from('y'), { ifVersion: version });
  expect(await modeOf('demo/secrets/admin')).toBe('600');
});

test('The last object of a folder takes the folder with it, and creations do not mind', async () => {
  const store = createFileStore(url);
  const churn = async (name: string) => {
    for (let round = 0; round < 40; round += 1) {
      await store.write(`a/b/c/${name}`, Buffer.from('x'), { ifAbsent: true });
      await store.delete(`a/b/c/${name}`);
    }
  };
  await Promise.all(['1', '2', '3', '4'].map(churn));
  expect(await readdir(folder)).toEqual(['.kopsctl-store']);
});

test('An object cannot stand where a folder is, or below another object; the error says so', async () => {
  const store = createFileStore(url);
  await store.write('demo/config', Buffer.from('x'), { ifAbsent: true });
  await expect(store.write('demo', Buffer.from('x'), { ifAbsent: true })).rejects.toThrow(/objects below that path/);
  await expect(store.write('demo/config/x', Buffer.from('x'), { ifAbsent: true })).rejects.toMatchObject({
    next: expect.stringContaining('choose another path'),
  });
  expect(await store.read('demo/config/x')).toBeUndefined();
  expect(await store.read('demo')).toBeUndefined();
});
