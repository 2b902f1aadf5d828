import type { SpecTexts } from './spec-at.ts';
import { objectRecord, type ObjectRecord, type SpecChange, writtenBy } from './spec-change.ts';

/** What `history` shows in one line: a recorded change, or what another tool did. People name it by its `id`. */
export type HistoryLine = RecordedLine | ForeignLine;

export interface RecordedLine extends SpecChange {
  /** Its number. */
  readonly id: string;
  readonly by: 'kopsctl';
}

/**
 * What another tool wrote between two recorded changes: kops, say, reads and writes the same specs and keeps no history. It
 * is found by comparing what a change wrote with what is there later.
 */
export interface ForeignLine {
  /** That of the line before it and a plus sign, e.g. `5+`. */
  readonly id: string;
  readonly by: 'another tool';
  /** The objects are as they were before the last change to them: that may have been interrupted before it wrote them. */
  readonly mayBeInterruption: boolean;
  readonly objects: readonly ObjectRecord[];
}

/** The lines of a history, the oldest first. Pure. */
export function historyLines(now: SpecTexts, changes: readonly SpecChange[]): readonly HistoryLine[] {
  const lines: HistoryLine[] = [];
  const last = new Map<string, ObjectRecord>();
  let isCreated = false;
  /** Adds a line where objects are found to be other than they were left. */
  const compare = (found: ReadonlyMap<string, string | null>) => {
    const changed = [...found].flatMap(([path, text]) => {
      // A cluster whose creation is recorded had no other objects before it.
      const record = last.get(path) ?? (isCreated ? objectRecord(path, null, null) : undefined);
      const left = record && writtenBy(record);
      return record === undefined || left === undefined || left === text ? [] : [{ record, left, text }];
    });
    const previous = lines.at(-1);
    if (previous === undefined || changed.length === 0) return;
    lines.push({
      id: `${previous.id}+`,
      by: 'another tool',
      mayBeInterruption: changed.every(({ record, text }) => record.before === text),
      objects: changed.map(({ record: { path }, left, text }) => objectRecord(path, left, text)),
    });
  };
  for (const change of changes) {
    compare(new Map(change.objects.map(({ path, before }) => [path, before])));
    lines.push({ ...change, id: String(change.number), by: 'kopsctl' });
    for (const record of change.objects) {
      last.set(record.path, record);
      isCreated ||= record.path === 'config' && record.before === null;
    }
  }
  const paths = [...new Set([...last.keys(), ...now.keys()])].toSorted();
  compare(new Map(paths.map((path) => [path, now.get(path) ?? null])));
  return lines;
}
