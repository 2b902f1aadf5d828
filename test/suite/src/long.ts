/**
 * Whether `npm run test:long` runs: the same tests with larger numbers, for which CI has no time. This is the only place
 * that asks for it.
 */
export const isLong = process.env['KOPSCTL_TEST_LONG'] === '1';

/** A number of rounds, cases or members: the usual one, which CI has time for, and the one of the long run. */
export function often(usual: number, long: number): number {
  return isLong ? long : usual;
}

/** The cases that CI has time for, and in the long run the others too. */
export function casesOf<T, U>(usual: readonly T[], others: readonly U[]): readonly (T | U)[] {
  return isLong ? [...usual, ...others] : usual;
}
