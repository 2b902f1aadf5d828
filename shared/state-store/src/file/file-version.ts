import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { Stored } from '../store.ts';
import { versionOfBytes } from '../version-of-bytes.ts';

/** What is not an object: nothing there, a folder, or a part of the path that is a file. */
export function isAbsence(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR';
}

/** Whole and untorn: a writer replaces a file by name, never its contents, and the open handle stays with the old one. */
export async function readObject(file: string, signal: AbortSignal | undefined): Promise<Stored | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const bytes = await handle.readFile(signal === undefined ? {} : { signal });
      return { bytes, version: versionOfBytes(bytes) };
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (isAbsence(thrown)) return undefined;
    throw thrown;
  }
}

export interface Described {
  readonly size: number;
  readonly modifiedMs: number;
  readonly version: string;
}

/** Size, time and version without holding the contents in memory: a backup of etcd may be gigabytes. */
export async function describeObject(file: string, signal: AbortSignal | undefined): Promise<Described | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return undefined;
      const hash = createHash('sha256');
      const chunks: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false, ...(signal && { signal }) });
      for await (const chunk of chunks) hash.update(chunk);
      return { size: facts.size, modifiedMs: facts.mtimeMs, version: hash.digest('hex') };
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (isAbsence(thrown)) return undefined;
    throw thrown;
  }
}
