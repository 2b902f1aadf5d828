import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the condition holds. @throws if it does not in this time */
export async function until(what: string, holds: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
  const giveUpAtMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAtMs) throw new Error(`timed out after ${withinMs / 1000} s: ${what}`);
    await sleep(100);
  }
}
