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
} from './page.ts';

/** A database nobody else has open. What is put into it becomes true at `commit`, all of it or nothing. */
export interface BoltFile {
  /** Of the pages that were ever in use. The file may be longer, never shorter. */
  readonly usedBytes: number;
  /** The greatest key of a bucket; undefined of an empty one. */
  lastKey(bucket: string): Promise<Buffer | undefined>;
  put(bucket: string, key: Buffer, value: Buffer): Promise<void>;
  commit(): Promise<void>;
}

/** The parts of a page of 4 KiB where the first meta page says how large pages are. */
const SMALLEST_PAGE_BYTES = 512;

/**
 * Opens a database of etcd in place. Only what restoring needs: pages that change are written anew behind the last one
 * (as bbolt does), those that they replace are not given back, which costs a few KiB until the next defragmentation.
 */
export async function withBoltFile<T>(
  path: string,
  work: (file: BoltFile) => Promise<T>,
  /** `r`: nothing is put into it, and it may lie on a disk that takes no writes. */
  mode: 'r' | 'r+' = 'r+',
): Promise<T> {
  await using handle = await open(path, mode);
  const meta = await readMeta(handle, path);
  let { root, end } = meta;

  async function readPage(number: bigint): Promise<Buffer> {
    const head = await readAt(handle, Number(number) * meta.pageBytes, HEADER_BYTES);
    const bytes = (head.readUInt32LE(12) + 1) * meta.pageBytes;
    return readAt(handle, Number(number) * meta.pageBytes, bytes);
  }

  async function writePage(page: Buffer): Promise<bigint> {
    const number = end;
    page.writeBigUInt64LE(number, 0);
    await handle.write(page, 0, page.byteLength, Number(number) * meta.pageBytes);
    end += BigInt(page.byteLength / meta.pageBytes);
    return number;
  }

  /** Writes the pages from the leaf up to the top of a tree anew. Resolves with the new top. */
  async function putInto(page: Buffer, key: Buffer, value: Buffer, flags: number): Promise<bigint> {
    if (flagsOf(page) === LEAF) {
      const elements = withElement(leafElements(page), { flags, key, value });
      return writePage(printLeaf(elements, meta.pageBytes));
    }
    const { child, childOffset } = childOf(page, key);
    const changed = Buffer.from(page);
    changed.writeBigUInt64LE(await putInto(await readPage(child), key, value, flags), childOffset);
    return writePage(changed);
  }

  async function bucketOf(name: string): Promise<{ page: Buffer; sequence: bigint }> {
    const key = Buffer.from(name);
    let page = await readPage(root);
    while (flagsOf(page) === BRANCH) page = await readPage(childOf(page, key).child);
    const element = leafElements(page).find((found) => found.key.equals(key) && found.flags === IS_BUCKET);
    if (element === undefined) throw new Error(`${path} has no bucket ${name}: it is no database of etcd`);
    const top = element.value.readBigUInt64LE(0);
    const sequence = element.value.readBigUInt64LE(8);
    // A small bucket has no page of its own: the page follows its head.
    return { page: top === 0n ? element.value.subarray(16) : await readPage(top), sequence };
  }

  return await work({
    usedBytes: Number(end) * meta.pageBytes,
    async lastKey(bucket) {
      let { page } = await bucketOf(bucket);
      while (flagsOf(page) === BRANCH) {
        const last = branchElements(page).at(-1);
        if (last === undefined) throw new Error(`${path} is damaged: a branch without children`);
        page = await readPage(last.child);
      }
      return leafElements(page).at(-1)?.key;
    },
    async put(bucket, key, value) {
      const { page, sequence } = await bucketOf(bucket);
      const head = Buffer.alloc(16);
      head.writeBigUInt64LE(await putInto(page, key, value, 0), 0);
      head.writeBigUInt64LE(sequence, 8);
      root = await putInto(await readPage(root), Buffer.from(bucket), head, IS_BUCKET);
    },
    async commit() {
      await handle.datasync();
      const { page, number } = printNextMeta(meta, { root, end });
      await handle.write(page, 0, page.byteLength, number * meta.pageBytes);
      await handle.sync();
    },
  });
}

/** The child that holds a key. What lies before the first child would need the branch's own keys changed. */
function childOf(page: Buffer, key: Buffer) {
  const child = branchElements(page).findLast((element) => Buffer.compare(element.key, key) <= 0);
  if (child === undefined) throw new Error('a key before all others cannot be put into a large bucket');
  return child;
}

async function readMeta(handle: FileHandle, path: string): Promise<Meta> {
  const { size } = await handle.stat();
  const first = size < META_BYTES ? undefined : parseMeta(await readAt(handle, 0, Math.min(size, 4096)));
  const metas = [first];
  // Where the first is torn, the second is wherever pages of that size would have it.
  for (let bytes = SMALLEST_PAGE_BYTES; bytes <= 65_536 && bytes + META_BYTES <= size; bytes *= 2) {
    if (first !== undefined && bytes !== first.pageBytes) continue;
    const found = parseMeta(await readAt(handle, bytes, META_BYTES));
    if (found?.pageBytes === bytes) metas.push(found);
  }
  const valid = metas.filter((meta) => meta !== undefined).sort((a, b) => Number(b.transaction - a.transaction));
  const [newest] = valid;
  if (newest === undefined) throw new Error(`${path} is no database of etcd, or both its heads are damaged`);
  return newest;
}

async function readAt(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, position);
  if (bytesRead !== bytes) throw new Error(`the database ends within a page, at ${position + bytesRead}`);
  return buffer;
}
