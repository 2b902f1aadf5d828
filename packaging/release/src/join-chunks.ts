/** Where a chunk and its code cache are: offset and length of each. */
type Place = readonly [number, number, number, number];

/** The chunks of a program as the loader of single executables reads them, without code caches. Pure. */
export function joinChunks(chunks: readonly (readonly [name: string, bytes: Uint8Array])[]): {
  readonly archive: Buffer;
  readonly index: Readonly<Record<string, Place>>;
} {
  const index: Record<string, Place> = {};
  let size = 0;
  for (const [name, { length }] of chunks) {
    index[name] = [size, length, 0, 0];
    size += length;
  }
  return { archive: Buffer.concat(chunks.map(([, bytes]) => bytes)), index };
}
