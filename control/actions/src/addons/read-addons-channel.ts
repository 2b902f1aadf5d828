import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { channelEntries, isUrl } from '@kopsctl/kube/addons/channel.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** A channel of addons, as it is stored. */
export interface AddonsChannel {
  readonly url: string;
  /** Its path in its store. */
  readonly path: string;
  readonly text: string;
  /** Reads a file that it names, by a path in its store or a URL. */
  readonly read: (location: string, signal: AbortSignal) => Promise<Buffer>;
}

/** Reads a channel of addons from its URL in a state store of any kind. */
export async function readAddonsChannel(
  url: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<AddonsChannel> {
  const { store, path } = await openPlace(url, env);
  const text = (await read(store, path, url, signal)).toString();
  const why = notAChannel(text);
  if (why !== undefined) {
    throw new ActionableError({
      what: `read the channel ${url}`,
      why,
      next: 'name a channel of addons, such as STATE-STORE/CLUSTER/addons/bootstrap-channel.yaml',
    });
  }
  return {
    url,
    path,
    text,
    read: async (location, until) => {
      if (!isUrl(location)) return read(store, location, location, until);
      const place = await openPlace(location, env);
      return read(place.store, place.path, location, until);
    },
  };
}

/** Why a text is no channel; undefined where it is one. */
function notAChannel(text: string): string | undefined {
  try {
    const entries = channelEntries(text);
    return 'whyNot' in entries ? entries.whyNot : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The store that holds a URL, and the path in it: its last two folders are enough for manifests beside a channel. */
async function openPlace(url: string, env: NodeJS.ProcessEnv): Promise<{ store: StateStore; path: string }> {
  const [, root, path] = /^([a-z0-9]+:\/\/\/?[^/]+(?:\/[^/]+)*?)\/((?:[^/]+\/){0,2}[^/]+)$/.exec(url) ?? [];
  if (root !== undefined && path !== undefined) return { store: await openStore(root, env), path };
  throw new ActionableError({
    what: `read ${url}`,
    why: 'it is not the URL of a file in a state store',
    next: 'write it like s3://BUCKET/CLUSTER/addons/bootstrap-channel.yaml or file:///…',
    isUsage: true,
  });
}

async function read(store: StateStore, path: string, url: string, signal: AbortSignal): Promise<Buffer> {
  const stored = await store.read(path, signal);
  if (stored !== undefined) return Buffer.from(stored.bytes);
  throw new ActionableError({
    what: `read ${url}`,
    why: `${store.url} does not hold ${path}`,
    next: 'check the address',
  });
}
