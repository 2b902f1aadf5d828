import { median } from '../median.ts';
import type { FloodKind } from './flood.ts';

/** What was measured. */
export interface Joining {
  /** How many should have joined. */
  readonly machines: number;
  /** When each machine joined, counted from when all were listed. */
  readonly joinedSeconds: readonly number[];
  readonly peakMiB: number;
  /** The peak of the authority with one machine. */
  readonly peakMiBBefore: number;
  readonly cpuSeconds: number;
  /** How long the authority has run. */
  readonly authoritySeconds: number;
  /** How often the broker was asked each question. */
  readonly asked: ReadonlyMap<string, number>;
  /** How often the broker was asked which machines there are. */
  readonly lists: number;
  /** Calls in which good machines did not join. */
  readonly failures: number;
  /** How many kinds of attackers there are. */
  readonly floodKinds: number;
  /** How often those of each kind were called. */
  readonly flood: ReadonlyMap<FloodKind, number>;
  /** Kinds of attackers that were taken for their machines. */
  readonly taken: ReadonlySet<FloodKind>;
  readonly refusalEvents: number;
  /** Machines whose attackers have evidence and another key: each is worth one event. */
  readonly refused: number;
}

const MAX_SECONDS = 60;
const MAX_MIB = 90;
/** The broker answers after 25 s, give or take a tenth, if there is no newer list. */
const SHORTEST_WAIT_SECONDS = 22.5;
/** The first list, and the one with all machines. */
const LISTS = 2;

interface Row {
  readonly what: string;
  readonly value: number;
  readonly digits?: number;
  /** The largest value that is good. */
  readonly most?: number;
  /** The smallest one. */
  readonly least?: number;
}

/** The tables, and whether a mark is missed. */
export function printJoining(joining: Joining): { readonly text: string; readonly missed: boolean } {
  const rows = rowsOf(joining);
  const missed = rows.some(isMissed);
  const text = [
    table(
      ['', 'measured', 'mark'],
      rows.map((row) => [row.what, row.value.toFixed(row.digits ?? 0), markOf(row)]),
    ),
    table(
      ['asked of the broker', 'times'],
      [...joining.asked].map(([path, times]) => [`\`${path}\``, String(times)]),
    ),
    table(
      ['attackers', 'times called'],
      [...joining.flood].map(([kind, times]) => [kind, String(times)]),
    ),
  ].join('\n');
  return { text, missed };
}

function rowsOf(joining: Joining): readonly Row[] {
  const { machines, joinedSeconds, failures, peakMiB, peakMiBBefore, cpuSeconds, authoritySeconds, lists } = joining;
  const waits = Math.ceil(authoritySeconds / SHORTEST_WAIT_SECONDS);
  return [
    { what: 'machines that have not joined', value: machines - joinedSeconds.length, most: 0 },
    ...(joinedSeconds.length === 0
      ? []
      : [
          { what: 'half of them have joined, seconds', value: median(joinedSeconds), digits: 1 },
          { what: 'all have joined, seconds', value: Math.max(...joinedSeconds), digits: 1, most: MAX_SECONDS },
        ]),
    { what: 'calls in which a machine did not join', value: failures },
    { what: 'authority with one machine, peak MiB', value: peakMiBBefore, digits: 1 },
    { what: 'authority with all, peak MiB', value: peakMiB, digits: 1, most: MAX_MIB },
    { what: 'authority, processor seconds', value: cpuSeconds, digits: 1 },
    { what: 'lists of machines', value: lists, most: LISTS + waits },
    { what: 'kinds of attackers that were called', value: joining.flood.size, least: joining.floodKinds },
    { what: 'kinds of attackers that were taken for a machine', value: joining.taken.size, most: 0 },
    {
      what: 'events of refused machines',
      value: joining.refusalEvents,
      least: Math.min(joining.refused, 1),
      most: joining.refused,
    },
  ];
}

const isMissed = ({ value, least = value, most = value }: Row): boolean => value < least || value > most;

function markOf(row: Row): string {
  const { least, most } = row;
  const mark = [least === undefined ? '' : `≥ ${least}`, most === undefined ? '' : `≤ ${most}`].join(' ').trim();
  return isMissed(row) ? `${mark} MISSED` : mark;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
