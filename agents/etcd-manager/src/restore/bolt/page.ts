/**
 * The pages of a bbolt file, the database of etcd (go.etcd.io/bbolt, page.go and bucket.go). The format is the same from
 * etcd 3.0 to 3.6. Numbers have the byte order of the machine that wrote them: little-endian on all platforms of Kubernetes
 * except s390x, whose files are refused because the magic number differs.
 */
export const BRANCH = 0x01;
export const LEAF = 0x02;
/** The flag of a leaf element whose value is a bucket. */
export const IS_BUCKET = 0x01;
export const HEADER_BYTES = 16;
const ELEMENT_BYTES = 16;

export interface LeafElement {
  readonly flags: number;
  readonly key: Buffer;
  readonly value: Buffer;
}

export interface BranchElement {
  readonly key: Buffer;
  readonly child: bigint;
  /** The offset of the child's page number in this page. */
  readonly childOffset: number;
}

/** The kind of a page: `BRANCH`, `LEAF` or another one. */
export function flagsOf(page: Buffer): number {
  return page.readUInt16LE(8);
}

export function leafElements(page: Buffer): readonly LeafElement[] {
  return Array.from({ length: page.readUInt16LE(10) }, (_, index) => {
    const at = HEADER_BYTES + index * ELEMENT_BYTES;
    const start = at + page.readUInt32LE(at + 4);
    const middle = start + page.readUInt32LE(at + 8);
    const end = middle + page.readUInt32LE(at + 12);
    if (end > page.byteLength) throw new Error('the database is damaged: an element extends beyond its page');
    return { flags: page.readUInt32LE(at), key: page.subarray(start, middle), value: page.subarray(middle, end) };
  });
}

export function branchElements(page: Buffer): readonly BranchElement[] {
  return Array.from({ length: page.readUInt16LE(10) }, (_, index) => {
    const at = HEADER_BYTES + index * ELEMENT_BYTES;
    const start = at + page.readUInt32LE(at);
    const end = start + page.readUInt32LE(at + 4);
    if (end > page.byteLength) throw new Error('the database is damaged: an element extends beyond its page');
    return { key: page.subarray(start, end), child: page.readBigUInt64LE(at + 8), childOffset: at + 8 };
  });
}

/** A leaf page of these elements, whose page number is still zero. It is as long as needed; bbolt splits it at its next write. */
export function printLeaf(elements: readonly LeafElement[], pageBytes: number): Buffer {
  const heads = HEADER_BYTES + elements.length * ELEMENT_BYTES;
  const bytes = elements.reduce((sum, { key, value }) => sum + key.byteLength + value.byteLength, heads);
  const pages = Math.ceil(bytes / pageBytes);
  const page = Buffer.alloc(pages * pageBytes);
  page.writeUInt16LE(LEAF, 8);
  page.writeUInt16LE(elements.length, 10);
  page.writeUInt32LE(pages - 1, 12);
  let start = heads;
  for (const [index, { flags, key, value }] of elements.entries()) {
    const at = HEADER_BYTES + index * ELEMENT_BYTES;
    page.writeUInt32LE(flags, at);
    page.writeUInt32LE(start - at, at + 4);
    page.writeUInt32LE(key.byteLength, at + 8);
    page.writeUInt32LE(value.byteLength, at + 12);
    start += key.copy(page, start);
    start += value.copy(page, start);
  }
  return page;
}

/** The elements with one more in its place, instead of any other with the same key. */
export function withElement(elements: readonly LeafElement[], added: LeafElement): readonly LeafElement[] {
  const others = elements.filter(({ key }) => !key.equals(added.key));
  const after = others.findIndex(({ key }) => Buffer.compare(key, added.key) > 0);
  const place = after === -1 ? others.length : after;
  return [...others.slice(0, place), added, ...others.slice(place)];
}
