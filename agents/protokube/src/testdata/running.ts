import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import { makeLog, type Log } from '@kopsctl/agent/log.ts';
import { afterEach } from 'vitest';
import { Leadership } from '../leader/reconcile-lease.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Cleans up after the test, in reverse order. */
export const afterTest = (stop: () => Promise<void>): void => void stops.push(stop);

/** Runs a reconciler as the agent does, and waits for lines of its log. */
export function running(run: (log: Log, signal: AbortSignal) => Promise<void>) {
  const lines: string[] = [];
  const ended = new AbortController();
  const log = makeLog((line) => lines.push(line), true, 'protokube');
  const done = keepRunning((signal) => run(log, signal), ended.signal, log);
  const stop = async (): Promise<void> => {
    ended.abort();
    await done;
  };
  stops.push(stop);
  const says = (text: string): Promise<void> =>
    until(
      () => lines.some((line) => line.includes(text)),
      () => `"${text}" in:\n${lines.join('')}`,
    );
  return { lines, stop, says };
}

export async function until(isTrue: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`never came true: ${what()}`);
    await sleep(50);
  }
}

export const soon = (): AbortSignal => AbortSignal.timeout(10_000);

/** A leader, already elected. */
export function leader(): Leadership {
  const leadership = new Leadership();
  leadership.begin();
  return leadership;
}

