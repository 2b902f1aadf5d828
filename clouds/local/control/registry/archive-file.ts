import type { FileHandle } from 'node:fs/promises';
import type { TarPart } from './tar-index.ts';

/** Manifests and configurations have some kilobytes. */
const MAX_JSON_BYTES = 4 << 20;

/** An archive that is read. */
export interface ArchiveFile {
  readonly path: string;
  readonly has: (name: string) => boolean;
  /** @throws Error that names a part that is not there */
  readonly part: (name: string) => TarPart;
  /** The bytes of a JSON document. */
  readonly json: (name: string) => Promise<Buffer>;
}

export function archiveFile(path: string, file: FileHandle, parts: ReadonlyMap<string, TarPart>): ArchiveFile {
  const partOf = (name: string): TarPart => {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`it has no ${name}`);
    return part;
  };
  return {
    path,
    has: (name) => parts.has(name),
    part: partOf,
    async json(name) {
      const { offset, size } = partOf(name);
      if (size > MAX_JSON_BYTES) throw new Error(`${name} has ${size} bytes, too many for JSON`);
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await file.read(bytes, 0, size, offset);
      if (bytesRead < size) throw new Error(`it ends within ${name}`);
      return bytes;
    },
  };
}
