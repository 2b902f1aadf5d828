import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { staticPodApiServer, THIS_MACHINE, type ApiServer } from './api-server.ts';

let folder: string;
let manifest: string;
let processes: string[];
/** A new one for each call, as after a restart: all state is on disk. */
let apiServer: () => ApiServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-api-server-'));
  manifest = join(folder, 'manifests', 'kube-apiserver.manifest');
  await mkdir(join(folder, 'manifests'));
  await writeFile(manifest, 'old');
  processes = ['systemd', 'kube-apiserver'];
  const place = { manifest, heldFolder: join(folder, 'held'), processNames: () => Promise.resolve(processes) };
  apiServer = () => staticPodApiServer(place);
});
afterEach(() => rm(folder, { recursive: true }));

test('It is held until the last restore releases it, across restarts', async () => {
  expect(await apiServer().observe('main')).toEqual({ hold: 'none', hasEnded: false });
  await apiServer().hold('main');
  expect(await readdir(join(folder, 'manifests'))).toEqual([]);
  expect(await apiServer().observe('main')).toEqual({ hold: 'held', hasEnded: false });
  processes = ['systemd'];
  expect(await apiServer().observe('main')).toEqual({ hold: 'held', hasEnded: true });
  expect((await apiServer().observe('events')).hold).toBe('none');
  await apiServer().hold('events');
  await apiServer().release('main');
  expect(existsSync(manifest)).toBe(false);
  await apiServer().release('events');
  expect(await readFile(manifest, 'utf8')).toBe('old');
  await apiServer().release('events');
  expect(await readFile(manifest, 'utf8')).toBe('old');
});

test('Two restores at once do not disturb each other', async () => {
  const one = apiServer();
  await Promise.all([one.hold('main'), one.hold('events')]);
  expect(existsSync(manifest)).toBe(false);
  await Promise.all([one.release('main'), one.release('events')]);
  expect(await readFile(manifest, 'utf8')).toBe('old');
});

test('A manifest that is written during a restore is held again, and is the one that is put back', async () => {
  await apiServer().hold('main');
  await writeFile(manifest, 'new');
  expect((await apiServer().observe('main')).hold).toBe('undone');
  await apiServer().hold('main');
  expect((await apiServer().observe('main')).hold).toBe('held');
  await apiServer().release('main');
  expect(await readFile(manifest, 'utf8')).toBe('new');
});

test('On a machine without an API server nothing is held and none appears', async () => {
  await rm(manifest);
  processes = [];
  await apiServer().hold('main');
  expect(await apiServer().observe('main')).toEqual({ hold: 'held', hasEnded: true });
  await apiServer().release('main');
  expect(existsSync(manifest)).toBe(false);
});

test('the names of the processes of this machine are found', async () => {
  const own = (await readFile('/proc/self/comm', 'utf8')).trim();
  expect(await THIS_MACHINE.processNames()).toContain(own);
});
