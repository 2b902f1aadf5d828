import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile, lstat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, expect, test } from 'vitest';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import { makeLog } from '@kopsctl/agent/log.ts';
import { readHosts, readSettledHosts, writeHosts } from './hosts-file.ts';
import { cloudNames } from './name-source.ts';
import { copyForPods } from './pod-hosts.ts';
import { reconcileHosts } from './reconcile-hosts.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function folderOfHosts(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'protokube-hosts-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost\n');
  return folder;
}

async function until(path: string, wanted: (text: string) => boolean): Promise<string> {
  const deadline = performance.now() + 5000;
  for (;;) {
    const text = await readHosts(path);
    if (wanted(text) || performance.now() > deadline) return text;
    await sleep(10);
  }
}

function machine(address: string): CloudMachine {
  return {
    instanceId: address,
    nodeName: address,
    address,
    externalAddresses: [],
    role: 'ControlPlane',
    instanceGroup: 'cp',
    running: true,
  };
}

test('records follow the machines, and the block is repaired when somebody else edits it', async () => {
  const path = join(await folderOfHosts(), 'hosts');
  const machines = new Latest<CloudMachine>();
  const ended = new AbortController();
  const config = {
    cluster: 'demo',
    cloud: 'local',
    stateStore: 'memory://',
    role: 'Node' as const,
    nodeName: 'w',
    address: '172.30.0.9',
    volumes: [],
    hosts: [{ name: 'api.internal.demo', role: 'ControlPlane' as const }],
    state: { kubeconfig: '/nowhere' },
  };
  const env = {
    names: cloudNames(config, machines, undefined),
    hostsPath: path,
    log: makeLog(() => undefined, true, 'hosts'),
  };
  const running = reconcileHosts(config, env, ended.signal);
  undo.push(async () => {
    ended.abort();
    await expect(running).rejects.toThrow('aborted');
  });
  machines.set({ revision: '1', items: [machine('172.30.0.2')] });
  expect(await until(path, (text) => text.includes('api'))).toContain('172.30.0.2\tapi.internal.demo\n');
  machines.set({ revision: '2', items: [machine('172.30.0.3')] });
  const good = await until(path, (text) => text.includes('172.30.0.3'));
  expect(good).not.toContain('172.30.0.2');

  await writeFile(path, `${good.replace('172.30.0.3', '6.6.6.6')}10.0.0.1 printer\n`);
  expect(await until(path, (text) => !text.includes('6.6.6.6'))).toBe(`${good}10.0.0.1 printer\n`);
});

test('an editor that truncates before it writes loses nothing', async () => {
  const path = join(await folderOfHosts(), 'hosts');
  const ended = new AbortController();
  undo.push(() => Promise.resolve(ended.abort()));
  await writeFile(path, '');
  const settled = readSettledHosts(path, ended.signal);
  await sleep(100);
  await writeFile(path, '127.0.0.1 localhost\n');
  expect(await settled).toBe('127.0.0.1 localhost\n');
});

test('the mode and the symbolic link of the file stay', async () => {
  const folder = await folderOfHosts();
  const real = join(folder, 'hosts');
  const link = join(folder, 'link');
  await chmod(real, 0o640);
  await symlink(real, link);
  expect(await writeHosts(link, 'new\n')).toBe('replaced');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await stat(real)).mode & 0o777).toBe(0o640);
  expect(await readFile(real, 'utf8')).toBe('new\n');
});

test.skipIf(process.getuid?.() !== 0)('a bind mount is written in place', async () => {
  const folder = await folderOfHosts();
  const path = join(folder, 'hosts');
  const source = join(folder, 'source');
  await writeFile(source, 'old\n');
  await execa('mount', ['--bind', source, path]);
  undo.push(() => execa('umount', [path]));
  expect(await writeHosts(path, 'new\n')).toBe('written in place');
  expect(await readFile(source, 'utf8')).toBe('new\n');
});

test.skipIf(process.getuid?.() !== 0)('a pod that mounts the copy sees each new text, longer or shorter', async () => {
  const folder = await folderOfHosts();
  const [path, copy, inPod] = [join(folder, 'hosts'), join(folder, 'copy'), join(folder, 'in-pod')];
  await copyForPods(path, copy);
  await writeFile(inPod, '');
  await execa('mount', ['--bind', copy, inPod]);
  undo.push(() => execa('umount', [inPod]));
  for (const text of ['127.0.0.1 localhost\n10.0.0.1 etcd-a\n', '127.0.0.1 localhost\n', '']) {
    await writeHosts(path, text);
    await copyForPods(path, copy);
    expect(await readFile(inPod, 'utf8')).toBe(text);
  }
});
