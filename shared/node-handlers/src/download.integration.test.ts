import { createHash, randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { download } from './download.ts';
import { stampFile } from './known-hash.ts';
import { type Mirror, type MirrorBehaviour, startMirror } from './testing/mirror.ts';
import { failures, temporaryHost } from './testing/temporary-host.ts';

const content = randomBytes(3 << 20);
const sha256 = createHash('sha256').update(content).digest('hex');
const signal = new AbortController().signal;

let folder: string;
let path: string;
let mirrors: Mirror[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-download-'));
  path = join(folder, 'cache', sha256);
  mirrors = [];
});
afterEach(async () => {
  await Promise.all(mirrors.map(async (mirror) => mirror.close()));
  await rm(folder, { recursive: true, force: true });
});

async function mirror(behaviour: MirrorBehaviour = {}, bytes: Uint8Array = content): Promise<Mirror> {
  const started = await startMirror(bytes, behaviour);
  mirrors.push(started);
  return started;
}

const isWhole = async () => content.equals(await readFile(path));

test('a download that breaks off is resumed at the next mirror, not started again', async () => {
  const isKept = async () => expect((await stat(`${path}.part`)).size).toBe(2 << 20);
  const breakWhen = () => vi.waitFor(isKept, { timeout: 30_000 });
  const broken = await mirror({ breakAfterBytes: 2 << 20, breakWhen });
  const good = await mirror();
  await download([broken.url, good.url], sha256, path, signal);
  expect(await isWhole()).toBe(true);
  expect(good.ranges).toEqual([`bytes=${2 << 20}-`]);
  expect(good.sentBytes()).toBe(1 << 20);
  expect(await readdir(join(folder, 'cache'))).toEqual([sha256]);
});

test('a mirror without ranges is asked for the whole', async () => {
  const broken = await mirror({ breakAfterBytes: 1 << 20 });
  const simple = await mirror({ ignoresRanges: true });
  await download([broken.url, simple.url], sha256, path, signal);
  expect(await isWhole()).toBe(true);
});

test('wrong bytes are thrown away and the next mirror is asked for the whole', async () => {
  const lying = await mirror({}, randomBytes(3 << 20));
  const good = await mirror();
  await download([lying.url, good.url], sha256, path, signal);
  expect(await isWhole()).toBe(true);
  expect(good.ranges).toEqual(['']);
});

test('half of a wrong file does not spoil what a good mirror gives', async () => {
  const lying = await mirror({ breakAfterBytes: 1 << 20 }, randomBytes(3 << 20));
  const good = await mirror();
  await download([lying.url, good.url], sha256, path, signal);
  expect(await isWhole()).toBe(true);
});

test('where every mirror fails the error names each, with the hash wanted and the hash found', async () => {
  const wrong = randomBytes(1000);
  const lying = await mirror({}, wrong);
  const gone = await mirror({ status: 404 });
  const failed = download([lying.url, gone.url, 'http://127.0.0.1:9/asset'], sha256, path, signal);
  const found = createHash('sha256').update(wrong).digest('hex');
  await expect(failed).rejects.toThrow(
    new RegExp(
      `${sha256}.*${lying.url} returned other content \\(sha256 ${found}\\).*${gone.url}: it answered 404.*127.0.0.1:9`,
    ),
  );
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('a mirror that falls silent is given up, one that is slow is not', async () => {
  const silent = await mirror({ stallAfterBytes: 1 << 20 });
  const slow = await mirror({ pauseMs: 40 });
  await download([silent.url, slow.url], sha256, path, signal, { stallMs: 600 });
  expect(await isWhole()).toBe(true);
  expect(slow.ranges).toEqual([`bytes=${1 << 20}-`]);
});

test('a mirror that sends more than any file has is given up, and what it sent is thrown away', async () => {
  const endless = await mirror({}, randomBytes(8 << 20));
  const good = await mirror();
  await download([endless.url, good.url], sha256, path, signal, { maxBytes: 4 << 20 });
  expect(await isWhole()).toBe(true);
  expect(endless.ranges).toHaveLength(1);
  expect(good.ranges).toEqual(['']);
});

test('a mirror that crawls is given up although it is never silent', async () => {
  const crawling = await mirror({ pauseMs: 50, pieceBytes: 10 });
  const good = await mirror();
  await download([crawling.url, good.url], sha256, path, signal, { stallMs: 500 });
  expect(await isWhole()).toBe(true);
});

test('a process killed in the middle leaves a part that the next one goes on from', async () => {
  const slow = await mirror({ pauseMs: 20 });
  const module = JSON.stringify(new URL('download.ts', import.meta.url).href);
  const program = `const { download } = await import(${module});
    await download(${JSON.stringify([slow.url])}, '${sha256}', ${JSON.stringify(path)}, new AbortController().signal);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while (slow.sentBytes() < 1 << 20) await new Promise((wake) => setTimeout(wake, 10));
  child.kill('SIGKILL');
  await ended;
  await expect(stat(path)).rejects.toThrow('ENOENT');
  const left = (await stat(`${path}.part`)).size;
  expect(left).toBeGreaterThan(0);
  const good = await mirror();
  await download([good.url], sha256, path, signal);
  expect(await isWhole()).toBe(true);
  expect(good.ranges).toEqual([`bytes=${left}-`]);
});

test('a cached copy that a power failure cut short is found and downloaded again', async () => {
  const host = await temporaryHost();
  const good = await mirror();
  const tasks = [{ kind: 'Asset', name: 'kubelet', props: { urls: [good.url], sha256 } }];
  expect(failures(await host.apply(tasks))).toEqual([]);
  await truncate(join(host.root, 'var/cache/kops/sha256', sha256), 1000);
  const planned = await host.plan(tasks);
  expect(planned.tasks[0]?.steps[0]?.summary).toContain('the cached copy is corrupt');
  expect(failures(await host.apply(tasks))).toEqual([]);
  expect((await host.plan(tasks)).changed).toBe(0);
  expect(good.ranges).toHaveLength(2);
  await host.remove();
});

test('a cached copy with other bytes is downloaded again, also where size and time are as they were', async () => {
  const host = await temporaryHost();
  const good = await mirror();
  const tasks = [{ kind: 'Asset', name: 'big', props: { urls: [good.url], sha256 } }];
  const cached = join(host.root, 'var/cache/kops/sha256', sha256);
  await mkdir(dirname(cached), { recursive: true });
  await writeFile(cached, content);
  // A time that can be set again exactly.
  await utimes(cached, 1_000_000_000, 1_000_000_000);
  await stampFile({ root: host.root, hashes: new Map() }, `/var/cache/kops/sha256/${sha256}`, sha256);
  await writeFile(cached, Buffer.alloc(content.length));
  await utimes(cached, 1_000_000_000, 1_000_000_000);
  expect(failures(await host.apply(tasks))).toEqual([]);
  expect(content.equals(await readFile(cached))).toBe(true);
  await host.remove();
});

test('a file that is on this machine already is used where it is, unless its bytes are wrong', async () => {
  const host = await temporaryHost();
  const good = await mirror();
  const here = join(host.root, 'opt/assets/kubelet');
  await mkdir(dirname(here), { recursive: true });
  await writeFile(here, content);
  const tasks = [
    { kind: 'Asset', name: 'kubelet', props: { urls: ['file:///opt/assets/kubelet', good.url], sha256 } },
    {
      kind: 'File',
      name: 'kubelet',
      props: {
        path: '/usr/local/bin/kubelet',
        mode: '0755',
        content: { assetPath: { ref: 'Asset/kubelet', output: 'path' }, sha256 },
      },
    },
  ];
  const program = join(host.root, 'usr/local/bin/kubelet');
  const cached = join(host.root, 'var/cache/kops/sha256', sha256);
  const { tasks: applied } = await host.apply(tasks);
  expect(applied.map(({ steps }) => steps.length)).toEqual([0, 1]);
  expect(content.equals(await readFile(program))).toBe(true);
  await expect(stat(cached)).rejects.toThrow('ENOENT');
  await writeFile(here, 'something else');
  await rm(program);
  expect(failures(await host.apply(tasks))).toEqual([]);
  expect(content.equals(await readFile(cached))).toBe(true);
  expect((await host.plan(tasks)).changed).toBe(0);
  await host.remove();
});

const mayMount = process.getuid?.() === 0;
if (!mayMount) console.warn('skipped: a full disk (needs root, to mount a small one)');
test.skipIf(!mayMount)('a full disk is called that, and mirrors are not blamed', async () => {
  const disk = join(folder, 'disk');
  await mkdir(disk);
  await execa('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
  try {
    const good = await mirror();
    const failed = download([good.url], sha256, join(disk, 'cache', sha256), signal);
    await expect(failed).rejects.toThrow('its file system is full');
    expect(good.ranges).toHaveLength(1);
  } finally {
    await execa('umount', [disk]);
  }
});

test.skipIf(!mayMount)('what fills the disk does not stay there, and the next mirror is asked', async () => {
  const disk = join(folder, 'disk');
  await mkdir(disk);
  await execa('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
  try {
    const endless = await mirror({}, randomBytes(8 << 20));
    const good = await mirror();
    const there = join(disk, 'cache', sha256);
    await expect(download([endless.url], sha256, there, signal)).rejects.toThrow('its file system is full');
    expect(await readdir(join(disk, 'cache'))).toEqual([]);
    await download([endless.url, good.url], sha256, there, signal);
    expect(content.equals(await readFile(there))).toBe(true);
  } finally {
    await execa('umount', [disk]);
  }
});
