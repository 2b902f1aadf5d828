import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { Stored, StoredStream } from '../store.ts';
import { versionOfBytes } from '../version-of-bytes.ts';

/** Whether there is no object: nothing, a folder, or a path that leads through a file. */
export function isAbsence(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR';
}

/** The version of a larger file is found without reading it: a list of a hundred backups would read a hundred gigabytes. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Never torn: writers replace files by name and never change their contents, so an open handle keeps the old file. */
export async function readObject(file: string, signal: AbortSignal | undefined): Promise<Stored | undefined> {
  return withFile(file, async (handle) => {
    const { large } = await look(handle);
    const bytes = await handle.readFile(signal === undefined ? {} : { signal });
    return { bytes, version: large ?? versionOfBytes(bytes) };
  });
}

/** As `readObject`, held in memory only while it is small. The handle is closed with the stream. */
export async function streamObject(file: string, signal: AbortSignal | undefined): Promise<StoredStream | undefined> {
  const handle = await openIfThere(file);
  if (handle === undefined) return undefined;
  let isStreaming = false;
  try {
    const { facts, large } = await look(handle);
    if (large === undefined) {
      const bytes = await handle.readFile(signal === undefined ? {} : { signal });
      return { chunks: Readable.from([bytes]), size: bytes.byteLength, version: versionOfBytes(bytes) };
    }
    // Node.js 24: a stream of a handle that begins with an aborted signal emits an error before anyone can listen.
    signal?.throwIfAborted();
    const chunks = handle.createReadStream(signal === undefined ? {} : { signal });
    isStreaming = true;
    return { chunks, size: Number(facts.size), version: large };
  } catch (thrown) {
    if (isAbsence(thrown)) return undefined;
    throw thrown;
  } finally {
    if (!isStreaming) await handle.close();
  }
}

export interface Described {
  readonly size: number;
  readonly modifiedMs: number;
  readonly version: string;
}

/** Size, time and version, without holding the contents in memory. */
export async function describeObject(file: string, signal: AbortSignal | undefined): Promise<Described | undefined> {
  return withFile(file, async (handle) => {
    const { facts, large } = await look(handle);
    if (!facts.isFile()) return undefined;
    const version = large ?? (await hashOf(handle, signal));
    return { size: Number(facts.size), modifiedMs: Number(facts.mtimeMs), version };
  });
}

async function hashOf(handle: FileHandle, signal: AbortSignal | undefined): Promise<string> {
  // Node.js 24: a stream of a handle that begins with an aborted signal emits an error after the loop has left it.
  signal?.throwIfAborted();
  const hash = createHash('sha256');
  const chunks: AsyncIterable<Buffer> = handle.createReadStream({
    autoClose: false,
    start: 0,
    ...(signal && { signal }),
  });
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * The version of a large file is its size, time and inode, which tell it from every other file at its path: a file is
 * never written to once it has its name, and links and renames keep its inode and time.
 */
async function look(handle: FileHandle) {
  const facts = await handle.stat({ bigint: true });
  const large = facts.size < LARGE_BYTES ? undefined : `${facts.size}-${facts.mtimeNs}-${facts.ino}`;
  return { facts, large };
}

async function withFile<T>(file: string, work: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  const handle = await openIfThere(file);
  if (handle === undefined) return undefined;
  try {
    return await work(handle);
  } catch (thrown) {
    if (isAbsence(thrown)) return undefined;
    throw thrown;
  } finally {
    await handle.close();
  }
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (thrown) {
    if (isAbsence(thrown)) return undefined;
    throw thrown;
  }
}
