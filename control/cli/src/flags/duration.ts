import { parseDurationMs } from '@kopsctl/spec/duration.ts';
import { usageError } from './usage-error.ts';

/** Reads the duration that a flag was given, as Go writes it (`1h30m`, `90s`), into milliseconds. */
export function parseDuration(text: string, flag: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms >= 0) return ms;
  throw usageError({
    what: `read ${flag}`,
    why: ms === undefined ? `'${text}' is not a duration` : `'${text}' is negative`,
    next: `write it as a number and a unit (h, m, s), e.g. ${flag} 10m`,
  });
}
