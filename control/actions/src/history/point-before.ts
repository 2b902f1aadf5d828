import type { HistoryLine } from './history-lines.ts';

/**
 * The point before the last thing that happened up to another point. Where a command may have been interrupted, that is the
 * point before the command: without its line, its change would be carried out after all. Pure.
 */
export function pointBefore(lines: readonly HistoryLine[], point: number): number {
  const [command, last] = [lines[point - 2], lines[point - 1]];
  const isInterruption =
    last?.by === 'another tool' &&
    last.mayBeInterruption &&
    last.objects.every(({ path }) => command?.objects.some((one) => one.path === path));
  return Math.max(0, point - (isInterruption ? 2 : 1));
}
