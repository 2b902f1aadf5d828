import { KubeError, type KubeClient } from './client.ts';
import { asArray, asRecord, asString } from './json.ts';

export type ListChange =
  | { readonly type: 'list'; readonly objects: readonly unknown[] }
  | { readonly type: 'there'; readonly object: unknown }
  | { readonly type: 'gone'; readonly name: string };

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
    const list = asRecord(await kube.get(path, signal));
    onChange({ type: 'list', objects: asArray(list['items']) });
    let version = asString(asRecord(list['metadata'])['resourceVersion']) ?? '0';
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
            if (type === 'DELETED') onChange({ type: 'gone', name: asString(metadata['name']) ?? '' });
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
