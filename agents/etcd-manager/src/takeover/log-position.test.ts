import { asyncProperty, assert, integer, nat, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { crc32c } from '@kopsctl/files/crc32c.ts';
import { extentOf } from './log-position.ts';
import { DamagedLogError, type LogPosition, type WalSegment } from './wal-records.ts';

type Written = { readonly type: 'metadata' | 'entry' | 'state' | 'snapshot' } & Partial<LogPosition>;

const TYPES = { metadata: 1, entry: 2, state: 3, crc: 4, snapshot: 5 } as const;
const NONE = new Set<string>();
const NOTHING = { term: 0, index: 0 };

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}

async function positionIn(segments: readonly WalSegment[], snapshots: ReadonlySet<string>): Promise<LogPosition> {
  return (await extentOf(segments, snapshots)).last;
}

/** Writes log files as etcd does. `ends` holds the end of each record in the last file. */
class LogWriter {
  readonly files: Buffer[] = [];
  ends: number[] = [];
  readonly #isPadded: boolean;
  #crc = 0;

  /** @param isPadded etcd 3.0 and newer pad each record */
  constructor(isPadded: boolean) {
    this.#isPadded = isPadded;
    this.cut();
  }

  cut(): void {
    this.files.push(Buffer.alloc(0));
    this.ends = [];
    this.#frame([0x08, TYPES.crc, 0x10, ...varint(this.#crc)]);
    this.write({ type: 'metadata' });
  }

  write({ type, term = 0, index = 0 }: Written, payload = 'payload'): void {
    const [first, second] = type === 'snapshot' ? [index, term] : [term, index];
    const message = Buffer.from(payload);
    const position = type === 'snapshot' ? [0x08, ...varint(first)] : [0x08, 0, 0x10, ...varint(first)];
    const data = Buffer.from([
      ...position,
      type === 'snapshot' ? 0x10 : 0x18,
      ...varint(second),
      ...(type === 'snapshot' ? [] : [0x22, ...varint(message.byteLength), ...message]),
    ]);
    this.#crc = crc32c(this.#crc, data);
    this.#frame([0x08, TYPES[type], 0x10, ...varint(this.#crc), 0x1a, ...varint(data.byteLength), ...data]);
  }

  get segments(): readonly WalSegment[] {
    return this.files.map((bytes, at) => segmentOf(bytes, at));
  }

  #frame(record: readonly number[]): void {
    const padding = this.#isPadded ? (8 - (record.length % 8)) % 8 : 0;
    const length = Buffer.alloc(8);
    length.writeUInt32LE(record.length);
    if (padding > 0) length.writeUInt8(0x80 | padding, 7);
    const last = this.files.pop() ?? Buffer.alloc(0);
    this.files.push(Buffer.concat([last, length, Buffer.from(record), Buffer.alloc(padding)]));
    this.ends.push(this.files.at(-1)?.byteLength ?? 0);
  }
}

function segmentOf(bytes: Buffer, at = 0, chunkBytes = 16): WalSegment {
  const name = `${at.toString(16).padStart(16, '0')}-0000000000000000.wal`;
  async function* open(): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes.byteLength; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
  }
  return { name, bytes: bytes.byteLength, open };
}

test('The last entry counts, across files, with padding and without', async () => {
  for (const isPadded of [true, false]) {
    const log = new LogWriter(isPadded);
    expect(await positionIn(log.segments, NONE)).toEqual(NOTHING);
    log.write({ type: 'entry', term: 1, index: 1 });
    log.write({ type: 'entry', term: 2, index: 300 });
    log.cut();
    expect(await positionIn(log.segments, NONE)).toEqual({ term: 2, index: 300 });
    log.write({ type: 'entry', term: 2, index: 301 }, 'x'.repeat(5000));
    log.write({ type: 'state', term: 9, index: 9 });
    expect(await positionIn(log.segments, NONE)).toEqual({ term: 2, index: 301 });
  }
});

test('Entries of a later leader replace entries that no other member had', async () => {
  const log = new LogWriter(true);
  for (const index of [1, 2, 3, 4]) log.write({ type: 'entry', term: 1, index });
  log.write({ type: 'entry', term: 2, index: 3 });
  expect(await positionIn(log.segments, NONE)).toEqual({ term: 2, index: 3 });
});

test('A snapshot from the leader counts once its file exists; a snapshot of the own log changes nothing', async () => {
  const log = new LogWriter(true);
  log.write({ type: 'entry', term: 1, index: 20 });
  log.write({ type: 'snapshot', term: 1, index: 10 });
  const files = new Set(['0000000000000001-000000000000000a.snap', '0000000000000003-0000000000000064.snap']);
  expect(await positionIn(log.segments, files)).toEqual({ term: 1, index: 20 });
  log.write({ type: 'snapshot', term: 3, index: 100 });
  expect(await positionIn(log.segments, files)).toEqual({ term: 3, index: 100 });
  expect(await positionIn(log.segments, NONE)).toEqual({ term: 1, index: 20 });
});

test('A log that is cut off at any byte ends at its last complete record', async () => {
  for (const isPadded of [true, false]) {
    const log = new LogWriter(isPadded);
    for (let index = 1; index <= 30; index += 1) log.write({ type: 'entry', term: 1, index }, 'p'.repeat(index * 7));
    const [file = Buffer.alloc(0)] = log.files;
    // Two records precede the first entry.
    const wholeBefore = (bytes: number) => log.ends.filter((end) => end <= bytes).length - 2;
    const check = async (bytes: number, preallocated: number): Promise<void> => {
      const cut = Buffer.concat([file.subarray(0, bytes), Buffer.alloc(preallocated)]);
      const whole = wholeBefore(bytes);
      expect(await positionIn([segmentOf(cut)], NONE)).toEqual(whole > 0 ? { term: 1, index: whole } : NOTHING);
    };
    await assert(asyncProperty(nat(file.byteLength), (bytes) => check(bytes, 0)));
    // In a preallocated file, sectors that were never written are zeros.
    const atSectors = asyncProperty(integer({ min: 0, max: Math.floor(file.byteLength / 512) }), (sectors) =>
      check(sectors * 512, 4096),
    );
    await assert(atSectors);
  }
});

test('What no crash explains is damage: a changed byte, an incomplete file that is not the last, a missing file', async () => {
  const log = new LogWriter(true);
  for (let index = 1; index <= 5; index += 1) log.write({ type: 'entry', term: 1, index });
  log.cut();
  log.write({ type: 'entry', term: 1, index: 6 });
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = log.files;
  const refused = async (...segments: readonly WalSegment[]): Promise<void> => {
    await expect(positionIn(segments, NONE)).rejects.toThrow(DamagedLogError);
  };
  const changed = Buffer.from(first);
  changed.writeUInt8(changed.readUInt8(first.byteLength - 20) ^ 1, first.byteLength - 20);
  await refused(segmentOf(changed), segmentOf(second, 1));
  await refused(segmentOf(changed));
  await refused(segmentOf(first.subarray(0, -9)), segmentOf(second, 1));
  await refused(segmentOf(first.subarray(0, log.ends[1])), segmentOf(second, 1));
  await refused(segmentOf(first), segmentOf(second, 2));
});

test('The checksum of the parts is the checksum of the whole', () => {
  expect(crc32c(0, Buffer.from('123456789'))).toBe(0xe3069283);
  assert(
    property(uint8Array(), nat(), (bytes, at) => {
      const parts = [bytes.subarray(0, at), bytes.subarray(at)] as const;
      expect(crc32c(crc32c(0, parts[0]), parts[1])).toBe(crc32c(0, bytes));
    }),
  );
});
