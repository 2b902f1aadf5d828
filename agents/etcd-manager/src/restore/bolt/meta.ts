import { HEADER_BYTES } from './page.ts';

/** The content of a meta page (bbolt, db.go). The first two pages are meta pages; the valid one with the higher transaction counts. */
export interface Meta {
  readonly pageBytes: number;
  readonly root: bigint;
  /** The first page that has never been used. */
  readonly end: bigint;
  readonly transaction: bigint;
  /** The bytes of the whole page, from which the next one is made. */
  readonly page: Buffer;
}

const MAGIC = 0xed0cdaed;
const VERSION = 2;
const META_FLAG = 0x04;
const CHECKED_BYTES = 56;
/** Offsets within a page. */
const AT = { magic: 16, version: 20, pageBytes: 24, root: 32, end: 56, transaction: 64, checksum: HEADER_BYTES + 56 };
export const META_BYTES = AT.checksum + 8;

/** Undefined if the page is damaged or is not a meta page. */
export function parseMeta(page: Buffer): Meta | undefined {
  if (page.byteLength < META_BYTES || page.readUInt32LE(AT.magic) !== MAGIC) return undefined;
  if (page.readUInt32LE(AT.version) !== VERSION || page.readBigUInt64LE(AT.checksum) !== checksumOf(page)) {
    return undefined;
  }
  return {
    pageBytes: page.readUInt32LE(AT.pageBytes),
    root: page.readBigUInt64LE(AT.root),
    end: page.readBigUInt64LE(AT.end),
    transaction: page.readBigUInt64LE(AT.transaction),
    page,
  };
}

/** The meta page of the next transaction, and its page number. The two pages alternate, so a torn write leaves the other one valid. */
export function printNextMeta(meta: Meta, next: Pick<Meta, 'root' | 'end'>): { page: Buffer; number: number } {
  const page = Buffer.from(meta.page);
  const transaction = meta.transaction + 1n;
  const number = Number(transaction % 2n);
  page.writeBigUInt64LE(BigInt(number), 0);
  page.writeUInt16LE(META_FLAG, 8);
  page.writeBigUInt64LE(next.root, AT.root);
  page.writeBigUInt64LE(next.end, AT.end);
  page.writeBigUInt64LE(transaction, AT.transaction);
  page.writeBigUInt64LE(checksumOf(page), AT.checksum);
  return { page, number };
}

/** 64-bit FNV-1a. */
function checksumOf(page: Buffer): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of page.subarray(HEADER_BYTES, HEADER_BYTES + CHECKED_BYTES)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}
