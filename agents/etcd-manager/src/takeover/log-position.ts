import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesOf } from '../restore/data-folders.ts';
import { DamagedLogError, walRecords, type LogPosition, type WalSegment } from './wal-records.ts';

const BLOCK_BYTES = 1024 * 1024;

/**
 * How far the log of an etcd that does not run goes: its last entry, or the snapshot that came in its place. Of a
 * majority of members, the furthest has every write that a client was told of (the Raft paper, 5.4.1). Undefined where
 * the log holds nothing.
 *
 * @throws DamagedLogError
 */
export async function readLogPosition(dataDir: string): Promise<LogPosition | undefined> {
  const wal = join(dataDir, 'member', 'wal');
  const names = (await entriesOf(wal)).filter((name) => /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/.test(name)).toSorted();
  const segments = await Promise.all(
    names.map(async (name): Promise<WalSegment> => {
      const path = join(wal, name);
      const { size } = await stat(path);
      return { name, bytes: size, open: () => createReadStream(path, { highWaterMark: BLOCK_BYTES }) };
    }),
  );
  return positionIn(segments, new Set(await entriesOf(join(dataDir, 'member', 'snap'))));
}

/** The same of files in order. `snapshots`: the names of those that are there. */
export async function positionIn(
  segments: readonly WalSegment[],
  snapshots: ReadonlySet<string>,
): Promise<LogPosition | undefined> {
  refuseGaps(segments);
  let last: LogPosition | undefined;
  for await (const { kind, term, index } of walRecords(segments)) {
    // An entry takes the place of all from its index on: what a leader of a later term has sent. A snapshot says little
    // of one's own log, but one that the leader has sent goes beyond it, once its file is there.
    const counts = kind === 'entry' || (index > (last?.index ?? 0) && snapshots.has(snapshotName({ term, index })));
    if (counts) last = { term, index };
  }
  return last;
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
