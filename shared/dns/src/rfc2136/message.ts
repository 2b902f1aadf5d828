import { encodeName, readName } from './name.ts';

/** Numbers of RFC 1035, 2136, 5936 and 8945. */
export const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  TXT: 16,
  AAAA: 28,
  RRSIG: 46,
  NSEC: 47,
  NSEC3: 50,
  TSIG: 250,
  AXFR: 252,
  ANY: 255,
} as const;
export const CLASS = { IN: 1, NONE: 254, ANY: 255 } as const;
export const OPCODE = { query: 0, update: 5 } as const;

export interface Question {
  readonly name: string;
  readonly type: number;
}

export interface WireRecord {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttlSeconds: number;
  readonly data: Uint8Array;
}

/** A record of a received message. Names in its data may point to other parts of the message. */
export interface ReceivedRecord extends WireRecord {
  readonly offset: number;
  readonly dataOffset: number;
}

export interface Message {
  readonly id: number;
  readonly opcode: number;
  /** Answer, authority, additional; in an update: prerequisite, update, additional. */
  readonly sections: readonly [readonly WireRecord[], readonly WireRecord[], readonly WireRecord[]];
  readonly question: Question;
}

export interface ReceivedMessage {
  readonly bytes: Buffer;
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly isTruncated: boolean;
  readonly rcode: number;
  readonly answers: readonly ReceivedRecord[];
  /** The last record of a signed message. */
  readonly tsig: ReceivedRecord | undefined;
}

const HEADER_BYTES = 12;

/** Encodes a query or an update. (dns-packet 5.6 supports neither the class NONE nor records without data.) */
export function encodeMessage({ id, opcode, question, sections }: Message): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(opcode << 11, 2);
  header.writeUInt16BE(1, 4);
  sections.forEach((records, index) => header.writeUInt16BE(records.length, 6 + 2 * index));
  const asked = Buffer.concat([encodeName(question.name), uint16(question.type), uint16(CLASS.IN)]);
  return Buffer.concat([header, asked, ...sections.flat().map(encodeRecord)]);
}

export function encodeRecord(record: WireRecord): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(record.type, 0);
  fixed.writeUInt16BE(record.class, 2);
  fixed.writeUInt32BE(record.ttlSeconds, 4);
  fixed.writeUInt16BE(record.data.length, 8);
  return Buffer.concat([encodeName(record.name), fixed, record.data]);
}

/** Decodes a message. Throws if the bytes are not one. */
export function decodeMessage(bytes: Buffer): ReceivedMessage {
  const flags = bytes.readUInt16BE(2);
  const [questions = 0, ...counts] = [4, 6, 8, 10].map((offset) => bytes.readUInt16BE(offset));
  let offset = HEADER_BYTES;
  for (let index = 0; index < questions; index++) offset = readName(bytes, offset).next + 4;
  const sections: ReceivedRecord[][] = [];
  for (const count of counts) {
    const records: ReceivedRecord[] = [];
    for (let index = 0; index < count; index++) {
      const record = readRecord(bytes, offset);
      records.push(record);
      offset = record.dataOffset + record.data.length;
    }
    sections.push(records);
  }
  const last = sections[2]?.at(-1);
  return {
    bytes,
    id: bytes.readUInt16BE(0),
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    isTruncated: (flags & 0x0200) !== 0,
    rcode: flags & 0xf,
    answers: sections[0] ?? [],
    tsig: last?.type === TYPE.TSIG ? last : undefined,
  };
}

function readRecord(bytes: Buffer, offset: number): ReceivedRecord {
  const { name, next } = readName(bytes, offset);
  const length = bytes.readUInt16BE(next + 8);
  const dataOffset = next + 10;
  if (dataOffset + length > bytes.length) throw new RangeError('a record extends past the end of the message');
  return {
    name,
    type: bytes.readUInt16BE(next),
    class: bytes.readUInt16BE(next + 2),
    ttlSeconds: bytes.readUInt32BE(next + 4),
    data: bytes.subarray(dataOffset, dataOffset + length),
    offset,
    dataOffset,
  };
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
