import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** Names that begin with this are reserved for the backend; no object may use them. */
export const RESERVED_PREFIX = '.kopsctl-store';

/** ext4, xfs and S3 together: a file name holds 255 bytes, an S3 key 1024. */
const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 1000;

/** Refuses a path that could leave the store, or that some backend cannot hold. */
export function checkPath(url: string, path: string): void {
  const fault = faultOfPath(path);
  if (fault !== undefined) throw refused(url, path, fault);
}

/**
 * A prefix as the folder that it names: `''`, or ending in `/`.
 * So `a` means everything below `a/` and never `ab`.
 */
export function folderOfPrefix(url: string, prefix: string): string {
  const folder = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  if (folder === '') {
    if (prefix !== '') throw refused(url, prefix, 'it is absolute');
    return '';
  }
  checkPath(url, folder);
  return `${folder}/`;
}

/** One order for every backend: by UTF-8 bytes, as S3 lists. */
export function comparePaths(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function faultOfPath(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.startsWith('/')) return 'it is absolute; paths are relative to the root of the store';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (!path.isWellFormed()) return 'it is not well-formed Unicode';
  for (const segment of path.split('/')) {
    if (segment === '') return 'it holds an empty part (//, or a / at the end)';
    if (segment === '.' || segment === '..') return `it holds "${segment}"`;
    if (segment.startsWith(RESERVED_PREFIX))
      return `names beginning with "${RESERVED_PREFIX}" belong to the store itself`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `a part of it is longer than ${MAX_SEGMENT_BYTES} bytes`;
    if (holdsControlCharacter(segment)) return 'it holds a control character';
  }
  return undefined;
}

function holdsControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function refused(url: string, path: string, why: string): ActionableError {
  return new ActionableError({
    what: `use the path ${JSON.stringify(path)} in ${url}`,
    why,
    next: 'name the object by a path relative to the root of the store, e.g. demo.example.com/config',
  });
}
