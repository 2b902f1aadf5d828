import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesOf } from '../restore/data-folders.ts';
import { DamagedLogError, walRecords, type LogPosition, type WalSegment } from './wal-records.ts';

/** How far a log goes. */
export interface LogExtent {
  /** Of its last entry, or of the snapshot that came in its place. Zeros where it holds nothing. */
  readonly last: LogPosition;
  /** How many entries there were of who belongs to the cluster. */
  readonly entriesOfMembers: number;
}

const BLOCK_BYTES = 1024 * 1024;

/**
 * How far the log of an etcd that does not run goes. Of a majority of members, the furthest has every write that a client
 * was told of (the Raft paper, 5.4.1).
 *
 * @throws DamagedLogError
 */
export async function readLogExtent(dataDir: string): Promise<LogExtent> {
  const wal = join(dataDir, 'member', 'wal');
  const names = (await entriesOf(wal)).filter((name) => /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/.test(name)).toSorted();
  const segments = await Promise.all(
    names.map(async (name): Promise<WalSegment> => {
      const path = join(wal, name);
      const { size } = await stat(path);
      return { name, bytes: size, open: () => createReadStream(path, { highWaterMark: BLOCK_BYTES }) };
    }),
  );
  return extentOf(segments, new Set(await entriesOf(join(dataDir, 'member', 'snap'))));
}

/** The same of files in order. `snapshots`: the names of those that are there. */
export async function extentOf(segments: readonly WalSegment[], snapshots: ReadonlySet<string>): Promise<LogExtent> {
  refuseGaps(segments);
  let last: LogPosition = { term: 0, index: 0 };
  let entriesOfMembers = 0;
  for await (const record of walRecords(segments)) {
    const { kind, term, index } = record;
    // An entry takes the place of all from its index on: what a leader of a later term has sent. A snapshot says little
    // of one's own log, but one that the leader has sent goes beyond it, once its file is there.
    const counts = kind === 'entry' || (index > last.index && snapshots.has(snapshotName({ term, index })));
    if (counts) last = { term, index };
    if (kind === 'entry' && record.isOfMembers) entriesOfMembers += 1;
  }
  return { last, entriesOfMembers };
}

/** etcd's snap/snapshotter.go. */
function snapshotName({ term, index }: LogPosition): string {
  return `${[term, index].map((number) => number.toString(16).padStart(16, '0')).join('-')}.snap`;
}

/** Files are numbered; etcd removes the oldest ones. */
function refuseGaps(segments: readonly WalSegment[]): void {
  const numbers = segments.map(({ name }) => Number.parseInt(name.slice(0, 16), 16));
  const gap = numbers.findIndex((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1);
  if (gap > 0) throw new DamagedLogError(`the log is damaged: the file before ${segments[gap]?.name ?? ''} is missing`);
}
