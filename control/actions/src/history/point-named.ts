import type { HistoryLine } from './history-lines.ts';

/**
 * How many lines of a history had happened at a point that a person names: after the line of that name, or before all of
 * them (0, or the number before the oldest one). Undefined if there is no such point. Pure.
 */
export function pointNamed(lines: readonly HistoryLine[], id: string): number | undefined {
  const index = lines.findIndex((line) => line.id === id);
  if (index >= 0) return index + 1;
  return id === '0' || id === String(Number(lines[0]?.id) - 1) ? 0 : undefined;
}
