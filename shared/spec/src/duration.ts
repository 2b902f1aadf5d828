import { isDuration } from './scalar-syntax.ts';

/** In milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Parses a Go duration (`48h20m`, `1.5s`) to milliseconds. Undefined for other text. */
export function parseDurationMs(text: string): number | undefined {
  if (!isDuration(text)) return undefined;
  const parts = text.matchAll(/(\d+\.?\d*|\.\d+)([a-zµμ]+)/g);
  const ms = [...parts].reduce((sum, [, count = '0', unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
  return text.startsWith('-') ? -ms : ms;
}
