import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isRunningSince, seeProcess } from './see-process.ts';

/** As large as a PID can be, and more than any machine has (proc(5), pid_max). */
const NONE = 4_194_305;

test('a process that runs is seen with the time at which it began, which tells it from others of its number', async () => {
  const seen = await seeProcess(process.pid);
  expect(seen).toEqual({ state: 'runs', startTime: expect.stringMatching(/^\d+$/) });
  const startTime = seen.state === 'runs' ? seen.startTime : '';
  expect(await isRunningSince(process.pid, startTime)).toBe(true);
  expect(await isRunningSince(process.pid, `${startTime}0`)).toBe(false);
});

test('no process is seen where there is none', async () => {
  expect(await seeProcess(NONE)).toEqual({ state: 'unseen' });
  expect(await isRunningSince(NONE, '1')).toBe(false);
});

test('a process that waits to be reaped has ended', async () => {
  // The shell's child ends at once; the program that the shell becomes never reaps it.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = await once(parent.stdout, 'data');
    await expect.poll(() => seeProcess(Number(String(line)))).toEqual({ state: 'zombie' });
    expect(await isRunningSince(Number(String(line)), '1')).toBe(false);
  } finally {
    const ended = once(parent, 'exit');
    parent.kill('SIGKILL');
    await ended;
  }
});
