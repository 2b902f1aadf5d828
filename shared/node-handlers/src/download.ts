import { mkdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fetchPart } from '@kopsctl/assets/fetch-part.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openHttp, type TlsIdentity } from '@kopsctl/http/http.ts';
import { cannotWrite, isFull, isOfTheDisk } from './disk-error.ts';

/** After this time without a byte, or with hardly any, the next mirror is asked; what came is resumed. */
const STALL_MS = 30_000;

export interface DownloadOptions {
  readonly stallMs?: number;
  readonly maxBytes?: number;
  /** Trusted authorities, instead of those of Node.js. */
  readonly tls?: TlsIdentity;
}

/**
 * Downloads to `path`, which appears complete and verified or not at all. A partial download is resumed, every mirror
 * is tried, and wrong bytes are thrown away, as is what fills the disk.
 */
export async function download(
  urls: readonly string[],
  sha256: string,
  path: string,
  signal: AbortSignal,
  { stallMs = STALL_MS, maxBytes, tls }: DownloadOptions = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  const part = `${path}.part`;
  const limits = { stallMs, ...(maxBytes !== undefined && { maxBytes }) };
  const failures: string[] = [];
  let full: unknown;
  const http = openHttp({ keepAlive: false, ...(tls && { tls }) });
  try {
    for (const url of urls) {
      try {
        let found = await fetchPart(http, { url, part, ...limits }, signal);
        if (found !== sha256) {
          // The resumed part may hold wrong bytes of another mirror, so this mirror is asked for the whole file.
          await unlink(part);
          found = await fetchPart(http, { url, part, ...limits }, signal);
        }
        if (found === sha256) return await rename(part, path);
        await unlink(part);
        failures.push(`${url} returned other content (sha256 ${found})`);
      } catch (error) {
        signal.throwIfAborted();
        if (isOfTheDisk(error)) {
          if (!isFull(error)) throw cannotWrite(path, error);
          // This mirror may have sent without end. A part that stayed would leave no room for the next one.
          await rm(part, { force: true });
          full = error;
        }
        failures.push(`${url}: ${describe(error)}`);
      }
    }
  } finally {
    http.close();
  }
  if (full !== undefined) throw cannotWrite(path, full);
  throw new ActionableError({
    what: `download the asset ${sha256}`,
    why: failures.join('; '),
    next: `check that this machine reaches a mirror: curl -I ${urls[0] ?? ''}`,
  });
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${messageOf(error)}${cause}`;
}
