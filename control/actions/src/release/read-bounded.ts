import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** Larger than any artefact: one that never ends (a grown or sparse file) is not read for hours. */
const MAX_ARTEFACT_BYTES = 4 * 1024 ** 3;
const READ_BYTES = 1 << 20;

/** Reads a small file whole. @throws Error that completes "FILE …" where it is larger, or not a regular file */
export async function readBounded(file: string, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  await eachChunk(file, maxBytes, (chunk) => parts.push(Buffer.from(chunk)));
  return Buffer.concat(parts);
}

/** The SHA-256 of what was read of a file, in hex. It is streamed. */
export async function sha256Bounded(file: string): Promise<string> {
  const hash = createHash('sha256');
  await eachChunk(file, MAX_ARTEFACT_BYTES, (chunk) => hash.update(chunk));
  return hash.digest('hex');
}

async function eachChunk(file: string, maxBytes: number, use: (chunk: Buffer) => void): Promise<void> {
  await using handle = await openRegular(file);
  const { size } = await handle.stat();
  if (size > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`);
  const buffer = Buffer.alloc(Math.min(READ_BYTES, maxBytes + 1));
  for (let total = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return;
    total += bytesRead;
    // It may grow while it is read.
    if (total > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`);
    use(buffer.subarray(0, bytesRead));
  }
}

/** Does not follow a link, and does not wait for the other end of a pipe. */
async function openRegular(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      const why = { ENOENT: 'does not exist', ELOOP: 'is a symbolic link' }[codeOf(error) ?? ''];
      throw why === undefined ? error : new Error(why, { cause: error });
    },
  );
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error('is not a regular file');
}
