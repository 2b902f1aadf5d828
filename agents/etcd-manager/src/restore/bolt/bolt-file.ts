import { open, type FileHandle } from 'node:fs/promises';
import { META_BYTES, parseMeta, printNextMeta, type Meta } from './meta.ts';
import {
  BRANCH,
  branchElements,
  flagsOf,
  HEADER_BYTES,
  IS_BUCKET,
  LEAF,
  leafElements,
  printLeaf,
  withElement,
  type BranchElement,
  type LeafElement,
} from './page.ts';

/** A database that no other process has open. Everything that is put into it takes effect at `commit`, or not at all. */
export interface BoltFile {
  /** The size of all pages that were ever used. The file may be longer, never shorter. */
  readonly usedBytes: number;
  /** The greatest key of a bucket; undefined if the bucket is empty. */
  lastKey(bucket: string): Promise<Buffer | undefined>;
  /** The value of a key; undefined if the bucket does not have it. */
  get(bucket: string, key: Buffer): Promise<Buffer | undefined>;
  put(bucket: string, key: Buffer, value: Buffer): Promise<void>;
  commit(): Promise<void>;
}

/** Pages have at least this size. The first meta page names the actual size. */
const SMALLEST_PAGE_BYTES = 512;

/**
 * Opens a database of etcd in place and passes it to `work`. It supports only what a restore needs. Changed pages are
 * written behind the last page, as bbolt does, and the pages that they replace are not freed, which costs a few KiB until
 * the next defragmentation.
 *
 * @param mode `r`: `work` puts nothing into the database, which may then be on a read-only disk
 * @throws when the file is not a database of etcd, or is damaged
 */
export async function withBoltFile<T>(
  path: string,
  work: (file: BoltFile) => Promise<T>,
  mode: 'r' | 'r+' = 'r+',
): Promise<T> {
  await using handle = await open(path, mode);
  return await work(new OpenBoltFile(path, handle, await readMeta(handle, path)));
}

class OpenBoltFile implements BoltFile {
  readonly usedBytes: number;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #meta: Meta;
  #root: bigint;
  #end: bigint;

  constructor(path: string, handle: FileHandle, meta: Meta) {
    this.#path = path;
    this.#handle = handle;
    this.#meta = meta;
    this.#root = meta.root;
    this.#end = meta.end;
    this.usedBytes = Number(meta.end) * meta.pageBytes;
  }

  async lastKey(bucket: string): Promise<Buffer | undefined> {
    let { page } = await this.#bucketOf(bucket);
    while (flagsOf(page) === BRANCH) {
      const last = branchElements(page).at(-1);
      if (last === undefined) throw new Error(`${this.#path} is damaged: a branch page has no children`);
      page = await this.#readPage(last.child);
    }
    return leafElements(page).at(-1)?.key;
  }

  async get(bucket: string, key: Buffer): Promise<Buffer | undefined> {
    let { page } = await this.#bucketOf(bucket);
    while (flagsOf(page) === BRANCH) {
      const child = branchElements(page).findLast((element) => Buffer.compare(element.key, key) <= 0);
      if (child === undefined) return undefined;
      page = await this.#readPage(child.child);
    }
    return leafElements(page).find((found) => found.key.equals(key) && found.flags !== IS_BUCKET)?.value;
  }

  async put(bucket: string, key: Buffer, value: Buffer): Promise<void> {
    const { page, sequence } = await this.#bucketOf(bucket);
    const head = Buffer.alloc(16);
    head.writeBigUInt64LE(await this.#putInto(page, { flags: 0, key, value }), 0);
    head.writeBigUInt64LE(sequence, 8);
    const element = { flags: IS_BUCKET, key: Buffer.from(bucket), value: head };
    this.#root = await this.#putInto(await this.#readPage(this.#root), element);
  }

  async commit(): Promise<void> {
    await this.#handle.datasync();
    const { page, number } = printNextMeta(this.#meta, { root: this.#root, end: this.#end });
    await this.#handle.write(page, 0, page.byteLength, number * this.#meta.pageBytes);
    await this.#handle.sync();
  }

  async #readPage(number: bigint): Promise<Buffer> {
    const { pageBytes } = this.#meta;
    const head = await readAt(this.#handle, Number(number) * pageBytes, HEADER_BYTES);
    const bytes = (head.readUInt32LE(12) + 1) * pageBytes;
    return readAt(this.#handle, Number(number) * pageBytes, bytes);
  }

  /** Resolves with the number of the new page. */
  async #writePage(page: Buffer): Promise<bigint> {
    const number = this.#end;
    page.writeBigUInt64LE(number, 0);
    await this.#handle.write(page, 0, page.byteLength, Number(number) * this.#meta.pageBytes);
    this.#end += BigInt(page.byteLength / this.#meta.pageBytes);
    return number;
  }

  /** Writes new pages from the leaf up to the top of a tree. Resolves with the number of the new top page. */
  async #putInto(page: Buffer, element: LeafElement): Promise<bigint> {
    if (flagsOf(page) === LEAF) {
      return this.#writePage(printLeaf(withElement(leafElements(page), element), this.#meta.pageBytes));
    }
    const { child, childOffset } = childOf(page, element.key);
    const changed = Buffer.from(page);
    changed.writeBigUInt64LE(await this.#putInto(await this.#readPage(child), element), childOffset);
    return this.#writePage(changed);
  }

  async #bucketOf(name: string): Promise<{ readonly page: Buffer; readonly sequence: bigint }> {
    const key = Buffer.from(name);
    let page = await this.#readPage(this.#root);
    while (flagsOf(page) === BRANCH) page = await this.#readPage(childOf(page, key).child);
    const element = leafElements(page).find((found) => found.key.equals(key) && found.flags === IS_BUCKET);
    if (element === undefined) throw new Error(`${this.#path} has no bucket ${name}: it is not a database of etcd`);
    const top = element.value.readBigUInt64LE(0);
    const sequence = element.value.readBigUInt64LE(8);
    // A small bucket has no page of its own: its page follows the head within the element.
    return { page: top === 0n ? element.value.subarray(16) : await this.#readPage(top), sequence };
  }
}

/** The child that holds a key. A key before the first child would change the keys of the branch, which is not supported. */
function childOf(page: Buffer, key: Buffer): BranchElement {
  const child = branchElements(page).findLast((element) => Buffer.compare(element.key, key) <= 0);
  if (child === undefined) throw new Error('a key before all others cannot be put into a large bucket');
  return child;
}

async function readMeta(handle: FileHandle, path: string): Promise<Meta> {
  const { size } = await handle.stat();
  const first = size < META_BYTES ? undefined : parseMeta(await readAt(handle, 0, Math.min(size, 4096)));
  const metas = [first];
  // If the first meta page is damaged, the page size is unknown, so the second one is looked for at every size.
  for (let bytes = SMALLEST_PAGE_BYTES; bytes <= 65_536 && bytes + META_BYTES <= size; bytes *= 2) {
    if (first !== undefined && bytes !== first.pageBytes) continue;
    const found = parseMeta(await readAt(handle, bytes, META_BYTES));
    if (found?.pageBytes === bytes) metas.push(found);
  }
  const valid = metas.filter((meta) => meta !== undefined).sort((a, b) => Number(b.transaction - a.transaction));
  const [newest] = valid;
  if (newest === undefined) throw new Error(`${path} is not a database of etcd, or both of its meta pages are damaged`);
  return newest;
}

async function readAt(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, position);
  if (bytesRead !== bytes) throw new Error(`the database ends within a page, at byte ${position + bytesRead}`);
  return buffer;
}
