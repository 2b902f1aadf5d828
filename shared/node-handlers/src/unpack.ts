import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { extract, type ExtractEvents, type Header } from 'tar-stream';
import { PermanentError } from '@kopsctl/tasks/failure.ts';

type Source = ExtractEvents['entry'][1];

/** The unpacked files, relative to the folder, with sizes to check later whether they are still there. */
export interface Unpacked {
  readonly path: string;
  readonly size: number;
}

/**
 * Unpacks a tar, tar.gz or tar.zst into a folder. Each file is replaced in one step, so a running program is not
 * disturbed. An entry that leads outside of the folder is refused.
 */
export async function unpack(
  archive: string,
  into: string,
  strip: number,
  signal: AbortSignal,
): Promise<readonly Unpacked[]> {
  const unpacked: Unpacked[] = [];
  const links = new Set<string>();
  const entries = extract();
  const reading = pipeline(
    [createReadStream(archive, { highWaterMark: 1 << 20 }), ...(await decompression(archive)), entries],
    {
      signal,
    },
  );
  // Awaited below; a failure before that also ends the loop.
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const path = placeOf(entry.header, strip);
    if (path === undefined) entry.resume();
    else {
      // A link that is harmless in itself may lead outside when it is reached through another link.
      if (foldersOf(path).some((folder) => links.has(folder))) throw escapes(entry.header.name);
      if (entry.header.type === 'symlink') links.add(path);
      const size = await place(entry, entry.header, join(into, path), into, path);
      if (size !== undefined) unpacked.push({ path, size });
    }
  }
  await reading;
  return unpacked;
}

/** Tells the format by the first bytes, since a cached file has no extension: gzip 1f8b (RFC 1952), zstd 28b52ffd (RFC 8878). */
async function decompression(archive: string) {
  const file = await open(archive, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.readUInt16BE(0) === 0x1f8b) return [createGunzip()];
    if (buffer.readUInt32BE(0) === 0x28b52ffd) return [createZstdDecompress()];
    return [];
  } finally {
    await file.close();
  }
}

function placeOf(header: Header, strip: number): string | undefined {
  const parts = normalize(header.name)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (header.name.startsWith('/') || parts.includes('..')) throw escapes(header.name);
  const path = parts.slice(strip).join('/');
  return path === '' ? undefined : path;
}

/** The folders above a path: those of a/b/c are a and a/b. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function escapes(name: string): PermanentError {
  return new PermanentError({
    what: `unpack ${name}`,
    why: 'it leads outside the folder of the archive',
    next: 'do not trust this archive; check where its asset comes from',
  });
}

async function place(
  entry: Source,
  header: Header,
  target: string,
  into: string,
  path: string,
): Promise<number | undefined> {
  const mode = (header.mode ?? 0o644) & 0o755;
  switch (header.type) {
    case 'directory':
      entry.resume();
      await mkdir(target, { recursive: true, mode: 0o755 });
      return undefined;
    case 'file': {
      await mkdir(dirname(target), { recursive: true, mode: 0o755 });
      const temporary = join(dirname(target), `.${basename(target)}.kops-new`);
      const file = await open(temporary, 'w', 0o600);
      try {
        for await (const chunk of entry) await file.writeFile(chunk as Uint8Array);
        await file.chmod(mode);
      } finally {
        await file.close();
      }
      await rename(temporary, target);
      return header.size ?? 0;
    }
    case 'symlink': {
      entry.resume();
      const destination = header.linkname ?? '';
      const leadsTo = relative(into, join(into, dirname(path), destination));
      if (destination.startsWith('/') || leadsTo === '' || leadsTo.split('/').includes('..'))
        throw escapes(`${header.name} -> ${destination}`);
      await mkdir(dirname(target), { recursive: true, mode: 0o755 });
      await rm(target, { force: true });
      await symlink(destination, target);
      return undefined;
    }
    default:
      throw new PermanentError({
        what: `unpack ${header.name}`,
        why: `it is a ${header.type ?? 'thing of unknown type'}, and an archive may hold only files, folders and links`,
        next: 'do not trust this archive; check where its asset comes from',
      });
  }
}
