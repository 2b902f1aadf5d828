import { createReadStream } from 'node:fs';
import { open, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { extract, type ExtractEvents, type Header } from 'tar-stream';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { foldersBelow } from './folders-below.ts';

type Source = ExtractEvents['entry'][1];

/** The unpacked files, relative to the folder, with sizes to check later whether they are still there. */
export interface Unpacked {
  readonly path: string;
  readonly size: number;
}

/**
 * Unpacks a tar, tar.gz or tar.zst into a folder. Each file is replaced in one step, so a running program is not
 * disturbed. An entry that leads outside of the folder is refused, whatever the archive or an earlier one put there:
 * nothing is written through a link.
 */
export async function unpack(
  archive: string,
  into: string,
  strip: number,
  signal: AbortSignal,
): Promise<readonly Unpacked[]> {
  const unpacked: Unpacked[] = [];
  const makeFolder = foldersBelow(into);
  const entries = extract();
  const decompressed = await decompression(archive);
  // The file is opened here, and not before anything that is awaited: nobody would hear its error, or close it.
  const reading = pipeline([createReadStream(archive, { highWaterMark: 1 << 20 }), ...decompressed, entries], {
    signal,
  });
  // Awaited below; a failure before that also ends the loop.
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const path = placeOf(entry.header, strip);
    if (path === undefined) {
      entry.resume();
      continue;
    }
    await makeFolder(entry.header.type === 'directory' ? path : dirname(path));
    const size = await place(entry, entry.header, join(into, path), path);
    if (size !== undefined) unpacked.push({ path, size });
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

function escapes(name: string): PermanentError {
  return new PermanentError({
    what: `unpack ${name}`,
    why: 'it leads outside the folder of the archive',
    next: 'do not trust this archive; check where its asset comes from',
  });
}

/** Puts an entry into its folder, which is there. Resolves with the size of a file. */
async function place(entry: Source, header: Header, target: string, path: string): Promise<number | undefined> {
  switch (header.type) {
    case 'directory':
      entry.resume();
      return undefined;
    case 'file':
      await placeFile(entry, target, (header.mode ?? 0o644) & 0o755);
      return header.size ?? 0;
    case 'symlink': {
      entry.resume();
      const destination = header.linkname ?? '';
      if (!staysInside(path, destination)) throw escapes(`${header.name} -> ${destination}`);
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

async function placeFile(entry: Source, target: string, mode: number): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target)}.kops-new`);
  // An interrupted run may have left a file there, and an archive a link.
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', 0o600);
  try {
    for await (const chunk of entry) await file.writeFile(chunk as Uint8Array);
    await file.chmod(mode);
  } finally {
    await file.close();
  }
  await rename(temporary, target);
}

/**
 * Whether a link leads to something in the folder, other than the folder itself. Its path first goes up, through
 * folders that are not links, and then only down: the parent of a folder that is reached through a link is not the one
 * that the path names.
 */
function staysInside(link: string, destination: string): boolean {
  if (destination.startsWith('/')) return false;
  const parts = destination.split('/').filter((part) => part !== '' && part !== '.');
  const firstDown = parts.findIndex((part) => part !== '..');
  const up = firstDown === -1 ? parts.length : firstDown;
  const depth = link.split('/').length - 1;
  const isTheFolder = up === depth && up === parts.length;
  return up <= depth && !isTheFolder && !parts.includes('..', up);
}
