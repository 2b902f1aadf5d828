import type { FileHandle } from 'node:fs/promises';

/** Where a file lies in an archive. */
export interface TarPart {
  readonly offset: number;
  readonly size: number;
}

const BLOCK = 512;
/** An ordinary file; old archives have a zero byte. */
const FILE = new Set(['0', '\0']);

/**
 * The files of a tar archive by their paths, found by reading its headers alone: an image of hundreds of megabytes has
 * about ten. Long paths, which images do not have, are not understood: their files are missing.
 */
export async function tarIndex(file: FileHandle): Promise<ReadonlyMap<string, TarPart>> {
  const parts = new Map<string, TarPart>();
  const header = Buffer.alloc(BLOCK);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(header, 0, BLOCK, at);
    // The end is marked by blocks of zeros.
    if (bytesRead < BLOCK || header[0] === 0) return parts;
    const size = sizeIn(header);
    if (FILE.has(header.toString('latin1', 156, 157))) parts.set(pathIn(header), { offset: at + BLOCK, size });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

function pathIn(header: Buffer): string {
  const [name, prefix] = [textIn(header, 0, 100), textIn(header, 345, 155)];
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  return (isUstar && prefix !== '' ? `${prefix}/${name}` : name).replace(/^\.\//, '');
}

function textIn(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

/** Octal digits, or, from 8 GiB on, a number of base 256 whose first bit is set. */
function sizeIn(header: Buffer): number {
  const size = (header[124] ?? 0) >= 0x80 ? Number(header.readBigUInt64BE(128)) : parseInt(textIn(header, 124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('it is not a tar archive');
  return size;
}
