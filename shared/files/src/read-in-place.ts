import { open } from 'node:fs/promises';

/** For files of hundreds of megabytes: larger reads need fewer turns of the event loop. */
const READ_BYTES = 1 << 20;

/**
 * The bytes of a file from `start` on. Each piece is in the same memory as the one before it, and holds only until the next
 * one is asked for. A stream takes new memory for each piece: after every 64 MiB of it V8 looks at all objects of the process,
 * which costs more than the reading.
 */
export async function* readInPlace(
  file: string,
  { start = 0, signal }: { readonly start?: number; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    let position = start;
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
