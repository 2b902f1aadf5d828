import { readMachineState } from '../follow/read-machine-state.ts';
import { type Finding, isKnown, type NodeEvidence } from './evidence.ts';
import type { ReadBootReport, UnreadableReport } from '../follow/read-boot-report.ts';
import type { KeptReport } from '../follow/read-machine-report.ts';

/** What a machine wrote into the store, with the times at which the store says that it got it, in ms since 1970. */
export interface Stamped {
  readonly report: ReadBootReport | UnreadableReport | undefined;
  readonly reportStoredMs: number | undefined;
  readonly kept: KeptReport | undefined;
  readonly keptStoredMs: number | undefined;
}

/**
 * By how much the clock of a machine was ahead of the store's when it last wrote there, negative if it was behind; undefined if
 * nothing tells. A boot report may come to the store long after it was written, so it only tells of a clock that is ahead. Pure.
 */
export function clockAheadMs({ report, reportStoredMs, kept, keptStoredMs }: Stamped): number | undefined {
  if (kept !== undefined && keptStoredMs !== undefined) return Date.parse(kept.writtenAt) - keptStoredMs;
  if (report === undefined || 'unreadable' in report || reportStoredMs === undefined) return undefined;
  const aheadMs = Date.parse(report.finishedAt ?? report.startedAt) - reportStoredMs;
  return aheadMs > 0 ? aheadMs : undefined;
}

/** A report takes some seconds to reach the store. */
const OFF_CLOCK_MS = 60_000;

/** A finding that the clock of a machine is wrong, if it is off by more than the time explains that a report takes. Pure. */
export function clockFindings({ clockAheadMs = 0, kept, objects }: NodeEvidence): readonly Finding[] {
  const offMs = Math.abs(clockAheadMs);
  if (offMs < OFF_CLOCK_MS) return [];
  const state =
    isKnown(objects) && objects.node?.state !== undefined ? readMachineState(objects.node.state) : undefined;
  const clock = kept?.state.clock ?? state?.clock;
  const how = { true: 'it says that it follows a time service', false: 'it follows no time service' };
  return [
    {
      what: `the clock of the machine is ${lasting(offMs)} ${clockAheadMs > 0 ? 'ahead' : 'behind'}`,
      because: [
        'the timestamp of its report differs by that much from the time at which the state store received it',
        ...(clock === undefined ? [] : [how[`${clock.isSynchronized}`]]),
      ],
      next: 'set the clock of the machine, and check that its time service runs and gets answers (`timedatectl` there; spec.ntp.managed installs one)',
    },
  ];
}

/** A difference in the unit by which a person compares clocks. */
function lasting(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2 * 24 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 60 / 24)} days`;
}
