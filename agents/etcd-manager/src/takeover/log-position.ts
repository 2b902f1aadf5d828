import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesOf } from '../restore/data-folders.ts';
import { clusterIdIn, DamagedLogError, walRecords, type LogPosition, type WalSegment } from './wal-records.ts';

/** How far a log reaches. */
export interface LogExtent {
  /** The position of the last entry, or of a snapshot beyond it. Zeros if the log is empty. */
  readonly last: LogPosition;
  /** The number of entries that name the members of the cluster. */
  readonly entriesOfMembers: number;
}

const BLOCK_BYTES = 1024 * 1024;

/**
 * Reads how far the log of a stopped etcd reaches. Among a majority of members, the log that reaches furthest has every
 * acknowledged write (the Raft paper, 5.4.1).
 *
 * @throws DamagedLogError
 */
export async function readLogExtent(dataDir: string): Promise<LogExtent> {
  return extentOf(await segmentsIn(dataDir), new Set(await entriesOf(join(dataDir, 'member', 'snap'))));
}

/** The id of the cluster of which this is the data, as etcd's status has it; undefined if the log does not tell. */
export async function clusterIdOf(dataDir: string): Promise<string | undefined> {
  const [first] = await segmentsIn(dataDir);
  return first && clusterIdIn(first);
}

async function segmentsIn(dataDir: string): Promise<readonly WalSegment[]> {
  const wal = join(dataDir, 'member', 'wal');
  const names = (await entriesOf(wal)).filter((name) => /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name): Promise<WalSegment> => {
      const path = join(wal, name);
      const { size } = await stat(path);
      return { name, bytes: size, open: () => createReadStream(path, { highWaterMark: BLOCK_BYTES }) };
    }),
  );
}

/** As `readLogExtent`, for files in order. @param snapshots the names of the snapshot files that exist */
export async function extentOf(segments: readonly WalSegment[], snapshots: ReadonlySet<string>): Promise<LogExtent> {
  refuseGaps(segments);
  let last: LogPosition = { term: 0, index: 0 };
  let entriesOfMembers = 0;
  for await (const record of walRecords(segments)) {
    const { kind, term, index } = record;
    // An entry replaces all entries from its index on, because a leader of a later term has sent it. A snapshot of its own
    // log changes nothing, but a snapshot that the leader has sent reaches beyond the log, once its file exists.
    const counts = kind === 'entry' || (index > last.index && snapshots.has(snapshotName({ term, index })));
    if (counts) last = { term, index };
    if (kind === 'entry' && record.isOfMembers) entriesOfMembers += 1;
  }
  return { last, entriesOfMembers };
}

/** As etcd's snap/snapshotter.go names it. */
function snapshotName({ term, index }: LogPosition): string {
  return `${[term, index].map((number) => number.toString(16).padStart(16, '0')).join('-')}.snap`;
}

/** Throws if a file is missing between two others: etcd numbers the files and removes only the oldest ones. */
function refuseGaps(segments: readonly WalSegment[]): void {
  const numbers = segments.map(({ name }) => Number.parseInt(name.slice(0, 16), 16));
  const gap = numbers.findIndex((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1);
  if (gap > 0) throw new DamagedLogError(`the log is damaged: the file before ${segments[gap]?.name ?? ''} is missing`);
}
