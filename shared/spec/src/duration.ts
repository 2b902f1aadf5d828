import { isDuration } from './scalar-syntax.ts';

/** In nanoseconds. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Parses a Go duration (`48h20m`, `1.5s`) to nanoseconds, as Go counts them. Undefined for other text. */
export function parseDurationNs(text: string): bigint | undefined {
  if (!isDuration(text)) return undefined;
  const parts = text.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g);
  const ns = [...parts].reduce((sum, [, whole = '', fraction = '', unit = '']) => {
    const size = UNITS[unit] ?? 0n;
    return sum + BigInt(whole || 0) * size + (BigInt(fraction || 0) * size) / 10n ** BigInt(fraction.length);
  }, 0n);
  return text.startsWith('-') ? -ns : ns;
}

/** The same in milliseconds. */
export function parseDurationMs(text: string): number | undefined {
  const ns = parseDurationNs(text);
  return ns === undefined ? undefined : Number(ns) / 1e6;
}
