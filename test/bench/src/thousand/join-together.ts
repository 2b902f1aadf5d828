/** If fewer come, something is wrong: the others are waited for no longer than this. */
const JOINS_AFTER_MS = 20_000;

/** The machines that a roll begins with; they are there, and have joined, before it. */
export const isFirst = ({ id }: { readonly id: string }): boolean => id.startsWith('first-');

/**
 * Tells whether the machines that wait may join: once there are as many as may be missing at once. Then all replacements of
 * a round take the same time, and rounds can be counted.
 *
 * @param waiting how many new machines have not joined; to be asked again and again
 */
export function joinsTogether(count: number, nowMs: () => number): (waiting: number) => boolean {
  let latest = { waiting: 0, sinceMs: nowMs() };
  return (waiting) => {
    if (waiting !== latest.waiting) latest = { waiting, sinceMs: nowMs() };
    return waiting >= count || nowMs() - latest.sinceMs > JOINS_AFTER_MS;
  };
}
