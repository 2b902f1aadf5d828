import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readApiServerLog } from './api-server-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pod-logs-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function log(pod: string, restarts: number, ...said: readonly string[]): Promise<void> {
  const container = join(folder, pod, 'kube-apiserver');
  await mkdir(container, { recursive: true });
  const path = join(container, `${restarts}.log`);
  await writeFile(
    path,
    said.map((text) => `2026-05-01T14:00:0${restarts}.123456789+02:00 stderr F ${text}\n`).join(''),
  );
  const at = new Date(Date.UTC(2026, 4, 1, 12, 0, restarts));
  await utimes(path, at, at);
}

test('the last two API servers of this machine are quoted, as the journal would', async () => {
  await log('kube-system_kube-apiserver-cp-1_a1', 0, 'long ago');
  await log('kube-system_kube-apiserver-cp-1_b2', 1, 'Error: unknown flag: --x');
  await log('kube-system_kube-apiserver-cp-1_b2', 2, 'E0501 starting');
  await log('kube-system_kube-apiserver-cp-11_c3', 3, 'of another machine');
  expect((await readApiServerLog('cp-1', folder)).split('\n')).toEqual([
    'May 01 12:00:01 cp-1 kube-apiserver[1]: Error: unknown flag: --x',
    'May 01 12:00:02 cp-1 kube-apiserver[2]: E0501 starting',
  ]);
});

test('of a long log its end is read, without the line that is cut in two', async () => {
  await log('kube-system_kube-apiserver-cp-1_a1', 0, ...Array.from({ length: 3000 }, (_, at) => `E0501 number ${at}`));
  const lines = (await readApiServerLog('cp-1', folder)).split('\n');
  expect(lines.at(-1)).toBe('May 01 12:00:00 cp-1 kube-apiserver[0]: E0501 number 2999');
  expect(lines.length).toBeLessThan(3000);
  expect(lines.every((line) => line.startsWith('May 01 12:00:00 cp-1 kube-apiserver[0]: E0501 number '))).toBe(true);
});

test('a machine without an API server has no log of one', async () => {
  expect(await readApiServerLog('nodes-1', folder)).toBe('');
  expect(await readApiServerLog('nodes-1', join(folder, 'none'))).toBe('');
});
