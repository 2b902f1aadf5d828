import { crc32c } from '@kopsctl/files/crc32c.ts';

/** One file of a write-ahead log. */
export interface WalSegment {
  readonly name: string;
  readonly bytes: number;
  open(): AsyncIterable<Buffer>;
}

/** A position in the log: the index of an entry, and the term of the leader that wrote it. */
export interface LogPosition {
  readonly term: number;
  readonly index: number;
}

export type WalRecord = LogPosition &
  (
    | { readonly kind: 'snapshot' }
    /** `isOfMembers`: the entry is about the members of the cluster, and not about a key. */
    | { readonly kind: 'entry'; readonly isOfMembers: boolean }
  );

const FRAME_BYTES = 8;
/** The unit that a disk writes completely or not at all (etcd wal/decoder.go, minSectorSize). */
const SECTOR_BYTES = 512;
const [METADATA, ENTRY, CRC, SNAPSHOT] = [1, 2, 4, 5];
/** raftpb.EntryType. */
const CONF_CHANGE = 1;
/** The path at which etcd's version 2 store keeps the attributes of a member (etcdserver/membership/store.go). */
const ATTRIBUTES = /^\/0\/members\/[0-9a-f]{1,16}\/attributes$/;

/** The log is damaged in a way that no crash explains. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

/**
 * Reads the entries and snapshots in a write-ahead log of etcd 2 or 3, in order, as etcd itself does (wal/decoder.go,
 * wal/wal.go of 2.2 to 3.5). The log ends at a last record that was written only partly, as after a crash. The checksum of
 * each record is verified. Memory does not grow with the log.
 *
 * @throws DamagedLogError
 */
export async function* walRecords(segments: readonly WalSegment[]): AsyncGenerator<WalRecord> {
  // The checksum continues from file to file; each file begins with a record that repeats it.
  let crc = 0;
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    for await (const { bytes, offset } of framesOf(segment, isLast)) {
      const record = parseRecord(bytes);
      if (record?.type === CRC) {
        if (crc !== 0 && record.crc !== crc) throw damaged(segment, offset, 'it does not continue the file before it');
        ({ crc } = record);
        continue;
      }
      const sum = record && crc32c(crc, record.data);
      if (record === undefined || record.crc !== sum) {
        if (isLast && isTorn(bytes, offset)) return;
        throw damaged(segment, offset, 'the checksum does not match');
      }
      crc = sum;
      const found = toWalRecord(record);
      if (found !== undefined) yield found;
    }
  }
}

/**
 * The id of the cluster whose log this is, in decimal: every file of a log names it before its first entry (etcdserverpb.Metadata:
 * NodeID 1, ClusterID 2). Undefined if the file does not reach that far.
 */
export async function clusterIdIn(segment: WalSegment): Promise<string | undefined> {
  for await (const { bytes } of framesOf(segment, true)) {
    const record = parseRecord(bytes);
    if (record?.type === METADATA) return idIn(record.data, 2);
    if (record?.type !== CRC) return undefined;
  }
  return undefined;
}

/** A field of 64 bits in a message that has only such fields. */
function idIn(message: Buffer, field: number): string | undefined {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; at < message.byteLength; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < message.byteLength) {
    const tag = varint();
    const value = varint();
    if (tag >> 3n === BigInt(field)) return value.toString();
  }
  return undefined;
}

interface Frame {
  /** The record without its padding. */
  readonly bytes: Buffer;
  /** The position of the record in its file. */
  readonly offset: number;
}

/** A frame is a length of eight bytes, the record, and, since etcd 3.0, padding to a multiple of eight bytes. */
async function* framesOf(segment: WalSegment, isLast: boolean): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of segment.open()) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.byteLength >= FRAME_BYTES) {
      const { recordBytes, paddingBytes } = frameSize(rest);
      // The rest of the file is preallocated space.
      if (recordBytes === 0) return;
      const frameBytes = FRAME_BYTES + recordBytes + paddingBytes;
      if (offset + frameBytes > segment.bytes) {
        if (isLast) return;
        throw damaged(segment, offset, 'it ends within a record');
      }
      if (rest.byteLength < frameBytes) break;
      yield { bytes: rest.subarray(FRAME_BYTES, FRAME_BYTES + recordBytes), offset: offset + FRAME_BYTES };
      rest = rest.subarray(frameBytes);
      offset += frameBytes;
    }
  }
  if (rest.byteLength > 0 && !isLast) throw damaged(segment, offset, 'it ends within a record');
}

/** The low 56 bits are the length. If the highest bit is set, the lowest three bits of the last byte are the padding. */
function frameSize(bytes: Buffer): { readonly recordBytes: number; readonly paddingBytes: number } {
  const high = bytes.readUInt8(7);
  const recordBytes = bytes.readUIntLE(0, 6) + bytes.readUInt8(6) * 2 ** 48;
  return { recordBytes, paddingBytes: high >= 0x80 ? high & 0x7 : 0 };
}

/** Whether the record was only partly written when the power failed: a whole sector of it is still zeros. */
function isTorn(record: Buffer, offset: number): boolean {
  for (let from = 0; from < record.byteLength;) {
    const to = from + SECTOR_BYTES - ((offset + from) % SECTOR_BYTES);
    if (record.subarray(from, to).every((byte) => byte === 0)) return true;
    from = to;
  }
  return false;
}

interface RawRecord {
  readonly type: number;
  readonly crc: number;
  readonly data: Buffer;
}

/** walpb.Record: type 1, crc 2, data 3. Undefined if the bytes are not such a message. */
function parseRecord(bytes: Buffer): RawRecord | undefined {
  const fields = protobufFields(bytes);
  if (fields === undefined) return undefined;
  return { type: numberIn(fields, 1), crc: numberIn(fields, 2), data: bytesIn(fields, 3) };
}

/** walpb.Snapshot: index 1, term 2. Undefined for records that do not extend the log. */
function toWalRecord({ type, data }: RawRecord): WalRecord | undefined {
  if (type !== ENTRY && type !== SNAPSHOT) return undefined;
  const fields = protobufFields(data) ?? new Map();
  if (type === SNAPSHOT) return { kind: 'snapshot', term: numberIn(fields, 2), index: numberIn(fields, 1) };
  return { kind: 'entry', term: numberIn(fields, 2), index: numberIn(fields, 3), isOfMembers: isOfMembers(fields) };
}

/** raftpb.Entry: type 1, term 2, index 3, data 4. Its data is an etcdserverpb.Request: method 2, path 3. */
function isOfMembers(entry: Fields): boolean {
  if (numberIn(entry, 1) === CONF_CHANGE) return true;
  const request = protobufFields(bytesIn(entry, 4));
  if (request === undefined) return false;
  return bytesIn(request, 2).toString() === 'PUT' && ATTRIBUTES.test(bytesIn(request, 3).toString());
}

type Fields = ReadonlyMap<number, number | Buffer>;

function numberIn(fields: Fields, field: number): number {
  const value = fields.get(field);
  return typeof value === 'number' ? value : 0;
}

function bytesIn(fields: Fields, field: number): Buffer {
  const value = fields.get(field);
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

/** The fields of a protobuf message of varints and bytes, as all these messages are. Undefined if the bytes are not such a message. */
function protobufFields(bytes: Buffer): Fields | undefined {
  const fields = new Map<number, number | Buffer>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) return Number.NaN;
      at += 1;
      // Bit operators would cut the value to 32 bits. A 64-bit id loses its last digits here, but none is used.
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.byteLength) {
    const tag = varint();
    const value = varint();
    if (Number.isNaN(tag) || Number.isNaN(value)) return undefined;
    const [field, wireType] = [Math.floor(tag / 8), tag % 8];
    if (wireType === 0) fields.set(field, value);
    else if (wireType === 2 && at + value <= bytes.byteLength) {
      fields.set(field, bytes.subarray(at, at + value));
      at += value;
    } else return undefined;
  }
  return fields;
}

function damaged({ name }: WalSegment, offset: number, why: string): DamagedLogError {
  return new DamagedLogError(`the log is damaged: ${name} at byte ${offset}: ${why}`);
}
