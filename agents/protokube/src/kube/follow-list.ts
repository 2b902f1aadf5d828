import { KubeError, type KubeClient } from './client.ts';
import { asArray, asRecord, asString } from './json.ts';

export type ListChange =
  /** What was known counts no more: what is there follows, one by one, and then `listed`. */
  | { readonly type: 'begin' }
  | { readonly type: 'listed' }
  | { readonly type: 'there'; readonly object: unknown }
  | { readonly type: 'gone'; readonly object: unknown };

/** Objects of one page: a cluster's pods together can be more than an agent's memory. */
const PAGE = 500;

/**
 * Lists a collection, then watches it for ever; lists again when the server has forgotten where we were (410).
 * Throws when the server is away: whoever runs this starts it again.
 */
export async function followList(
  kube: KubeClient,
  path: string,
  signal: AbortSignal,
  onChange: (change: ListChange) => void,
): Promise<void> {
  while (!signal.aborted) {
    let version: string;
    try {
      version = await list(kube, path, signal, onChange);
    } catch (error) {
      // Pages of a list that takes too long are forgotten too.
      if (error instanceof KubeError && error.status === 410) continue;
      throw error;
    }
    let expired = false;
    while (!expired && !signal.aborted) {
      const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=${version}`;
      try {
        await kube.watch(
          `${path}?${query}`,
          (event) => {
            const { type, object } = asRecord(event);
            const metadata = asRecord(asRecord(object)['metadata']);
            if (type === 'ERROR') expired = true;
            else version = asString(metadata['resourceVersion']) ?? version;
            if (type === 'ADDED' || type === 'MODIFIED') onChange({ type: 'there', object });
            if (type === 'DELETED') onChange({ type: 'gone', object });
          },
          signal,
        );
      } catch (error) {
        if (!(error instanceof KubeError && error.status === 410)) throw error;
        expired = true;
      }
    }
  }
}

/** Returns the version of the collection as it was listed. */
async function list(
  kube: KubeClient,
  path: string,
  signal: AbortSignal,
  onChange: (change: ListChange) => void,
): Promise<string> {
  onChange({ type: 'begin' });
  let next = '';
  for (;;) {
    const page = asRecord(await kube.get(`${path}?limit=${PAGE}${next}`, signal));
    for (const object of asArray(page['items'])) onChange({ type: 'there', object });
    const { resourceVersion, continue: token } = asRecord(page['metadata']);
    if (typeof token === 'string' && token !== '') next = `&continue=${encodeURIComponent(token)}`;
    else {
      onChange({ type: 'listed' });
      return asString(resourceVersion) ?? '0';
    }
  }
}
