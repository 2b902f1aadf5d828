import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isUrl } from './channel.ts';

/** Far more than any manifest; the API server itself takes objects of up to 1.5 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
const ANSWER_TIMEOUT_MS = 60_000;

export interface LocationEnv {
  readonly cluster: string;
  readonly store: StateStore;
  /** Opens another bucket, with the rights of this machine. */
  readonly openStore: (url: string, signal: AbortSignal) => Promise<StateStore>;
}

/** Reads a channel or manifest: a path of the cluster's folder in its store, or a URL. */
export async function fetchLocation(location: string, env: LocationEnv, signal: AbortSignal): Promise<Buffer> {
  if (!isUrl(location)) return stored(env.store, `${env.cluster}/${location}`, '`kopsctl apply` writes it', signal);
  const { protocol } = new URL(location);
  switch (protocol) {
    case 's3:':
    case 'gs:': {
      const cut = location.lastIndexOf('/');
      const store = await env.openStore(location.slice(0, cut), signal);
      const next = 'see that it is there, and that the role of the control plane may read it (spec.additionalPolicies)';
      return stored(store, location.slice(cut + 1), next, signal);
    }
    case 'https:':
      return overHttps(location, signal);
    case 'file:':
      return fromDisk(location, signal);
    default:
      throw unreadable(
        location,
        `${protocol}// is none of s3, gs, https and file`,
        'put it into the state store, or name it by one of these',
      );
  }
}

async function stored(store: StateStore, path: string, next: string, signal: AbortSignal): Promise<Buffer> {
  const found = await store.read(path, signal);
  if (found !== undefined) return Buffer.from(found.bytes);
  throw unreadable(path, `it is not in ${store.url}`, next);
}

async function overHttps(url: string, signal: AbortSignal): Promise<Buffer> {
  const next = `see that this machine reaches it: curl -I ${url}`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]) });
    // A channel is not hashed by anything: what answers has to be who was asked.
    if (!answer.url.startsWith('https:'))
      throw unreadable(url, `it leads to ${answer.url}`, 'name a place that stays with https');
    if (!answer.ok) throw unreadable(url, `it answered ${answer.status}`, next);
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of answer.body ?? []) {
      size += part.byteLength;
      if (size > MAX_BYTES) throw unreadable(url, `it has more than ${MAX_BYTES} bytes`, 'see what is there');
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ActionableError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw unreadable(url, `${messageOf(error)}${cause}`, next, error);
  }
}

/** Of the machine's own disk: every control-plane machine has to have it. */
async function fromDisk(url: string, signal: AbortSignal): Promise<Buffer> {
  try {
    return await readFile(fileURLToPath(url), { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(url, messageOf(error), 'put the file on every control-plane machine (spec.fileAssets)', error);
  }
}

const unreadable = (what: string, why: string, next: string, cause?: unknown): ActionableError =>
  new ActionableError({ what: `read ${what}`, why, next, ...(cause === undefined ? {} : { cause }) });
