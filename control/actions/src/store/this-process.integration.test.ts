import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { hasEnded, thisProcess } from './this-process.ts';

const itself = async (): Promise<string> => (await thisProcess()) ?? '';

test('a process that runs has not ended, and one that was killed has', async () => {
  const own = await itself();
  expect(await hasEnded(own)).toBe(false);
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const [boot, namespace] = own.split('/');
  const childNow = `${boot}/${namespace}/${child.pid}/`;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(await hasEnded(`${childNow}12345`)).toBe(true);
});

test('a number that another process has by now does not keep the former one alive', async () => {
  expect(await hasEnded((await itself()).replace(/\d+$/, '1'))).toBe(true);
});

test.each([
  ['another machine or another boot', (own: string) => own.replace(/^[^/]+/, '00000000-0000-0000-0000-000000000000')],
  ['another container', (own: string) => own.replace(/^([^/]+)\/\d+/, '$1/1')],
  ['words that are not ours', () => 'anna@laptop'],
])('nothing is known of a process of %s', async (_title, changed) => {
  expect(await hasEnded(changed(await itself()))).toBe(false);
});
