import type { HistoryLine } from '@kopsctl/actions/history/history-lines.ts';

/** The cells of a line of the history. */
export interface DescribedChange {
  readonly at: string;
  readonly who: string;
  readonly why: string;
  readonly command: string;
}

/** What people are told about a change. When another tool made one, or by whom, is not recorded. */
export function describeChange(line: HistoryLine): DescribedChange {
  if (line.by === 'kopsctl') {
    const { at, who, why = '', command } = line;
    return { at: at.replace(/\.\d+Z$/, 'Z'), who, why, command };
  }
  const why = line.mayBeInterruption ? `or change ${line.id.slice(0, -1)} was interrupted` : '';
  return { at: '', who: line.by, why, command: '' };
}
