import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isUrl } from '@kopsctl/kube/addons/channel.ts';
import { fetchHttps } from './fetch-https.ts';

export interface LocationEnv {
  readonly cluster: string;
  readonly store: StateStore;
  /** Opens another bucket, with the permissions of this machine. */
  readonly openStore: (url: string, signal: AbortSignal) => Promise<StateStore>;
}

/** Reads a channel or manifest from a path in the cluster's folder of the state store, or from a URL. */
export async function fetchLocation(location: string, env: LocationEnv, signal: AbortSignal): Promise<Buffer> {
  if (!isUrl(location))
    return stored(env.store, `${env.cluster}/${location}`, '`kopsctl apply --yes` writes it', signal);
  const { protocol } = new URL(location);
  switch (protocol) {
    case 's3:':
    case 'gs:': {
      const cut = location.lastIndexOf('/');
      const store = await env.openStore(location.slice(0, cut), signal);
      const next = 'check that it exists and that the role of the control plane may read it (spec.additionalPolicies)';
      return stored(store, location.slice(cut + 1), next, signal);
    }
    case 'https:':
      return fetchHttps(location, signal);
    case 'file:':
      return fromDisk(location, signal);
    default:
      throw unreadable(
        location,
        `${protocol}// is not one of s3, gs, https and file`,
        'put it into the state store, or use one of these',
      );
  }
}

async function stored(store: StateStore, path: string, next: string, signal: AbortSignal): Promise<Buffer> {
  const found = await store.read(path, signal);
  if (found !== undefined) return Buffer.from(found.bytes);
  throw unreadable(path, `it is not in ${store.url}`, next);
}

/** From the machine's own disk: every control-plane machine must have the file. */
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
