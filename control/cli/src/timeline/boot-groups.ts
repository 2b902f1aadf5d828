import type { MachineTimeline } from '@kopsctl/actions/timeline/machine-timeline.ts';

/** Machines that were made together begin within a minute of each other: a cloud starts one earlier than another. */
const NEAR_MS = 60_000;

/** Boots that one time scale can show. */
export interface BootGroup {
  /** When the first began; undefined for a boot of which nobody knows when it was. Unix time in milliseconds. */
  readonly startMs: number | undefined;
  readonly durationMs: number;
  readonly machines: readonly MachineTimeline[];
}

/**
 * Boots that ran beside each other, or soon after each other. Between the others may be months, and on one scale with these
 * no task of any would be seen. Boots whose start is not known are alone, at the end. Pure.
 */
export function bootGroups(machines: readonly MachineTimeline[]): readonly BootGroup[] {
  const groups: BootGroup[] = [];
  for (const machine of machines.toSorted(byStart)) {
    const last = groups.at(-1);
    const { startMs, durationMs } = machine;
    if (last?.startMs === undefined || startMs === undefined || startMs > last.startMs + last.durationMs + NEAR_MS) {
      groups.push({ startMs, durationMs, machines: [machine] });
      continue;
    }
    const lastsMs = Math.max(last.durationMs, startMs + durationMs - last.startMs);
    groups[groups.length - 1] = { ...last, durationMs: lastsMs, machines: [...last.machines, machine] };
  }
  return groups;
}

const byStart = (
  { startMs: left = Infinity }: MachineTimeline,
  { startMs: right = Infinity }: MachineTimeline,
): number => (left === right ? 0 : left - right);
