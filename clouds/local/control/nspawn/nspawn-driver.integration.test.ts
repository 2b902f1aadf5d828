import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kopsctl-nspawn-driver-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Starts a machine while no file can be opened, which is the case when its process has too many open. */
const script = (folder: string): string => `
import { openSync, writeSync } from 'node:fs';
import { nspawnDriver } from ${JSON.stringify(join(import.meta.dirname, 'nspawn-driver.ts'))};
const paths = Object.fromEntries(['upper', 'work', 'mountPoint', 'data'].map((name) => [name, ${JSON.stringify(folder)} + '/' + name]));
const start = { record: { name: 'cp-1', role: 'ControlPlane' }, paths, layers: [], networkNamespace: '/run/netns/cp-1' };
const isFull = () => { try { openSync('/dev/null'); return false; } catch { return true; } };
while (!isFull());
const running = await nspawnDriver('demo.example.com', []).start(start, () => undefined);
writeSync(1, JSON.stringify(await running.exited));
`;

test('A machine that cannot be started for want of open files fails alone', async () => {
  const node = [process.execPath, '--input-type=module', '--eval', script(dir)];
  const { stdout } = await execa('sh', ['-c', 'ulimit -n 100; exec "$@"', 'sh', ...node]);
  expect(JSON.parse(stdout)).toEqual({ kind: 'failure', why: 'spawn sh EMFILE' });
});
