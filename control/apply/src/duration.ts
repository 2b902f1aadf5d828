import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Reads a duration as Go writes it (`1h30m`, `90s`) into milliseconds. */
export function parseDuration(text: string, flag: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) {
    throw new ActionableError({
      what: `read ${flag}`,
      why: `'${text}' is not a duration`,
      next: `write it as a number and a unit (h, m, s), e.g. ${flag} 10m`,
    });
  }
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}
