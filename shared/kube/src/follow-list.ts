import { KubeError, type KubeClient } from './client.ts';
import { asRecord, asString } from './json.ts';
import { listObjects } from './list-objects.ts';

export type ListChange =
  /** A new list begins: its objects follow one by one, and then `listed`. */
  | { readonly type: 'begin' }
  | { readonly type: 'listed' }
  | { readonly type: 'there'; readonly object: unknown }
  | { readonly type: 'gone'; readonly object: unknown };

/**
 * Lists a collection, then watches it, and lists it again when its resourceVersion has expired (410 Gone). Rejects when
 * the API server does not answer; the caller starts it again.
 */
export async function followList(
  kube: KubeClient,
  path: string,
  signal: AbortSignal,
  onChange: (change: ListChange) => void,
  pageSize?: number,
): Promise<void> {
  while (!signal.aborted) {
    let version: string;
    try {
      onChange({ type: 'begin' });
      version = await listObjects(kube, path, signal, (object) => onChange({ type: 'there', object }), pageSize);
      onChange({ type: 'listed' });
    } catch (error) {
      // The continue token of a list that takes too long expires too.
      if (error instanceof KubeError && error.status === 410) continue;
      throw error;
    }
    let expired = false;
    while (!expired && !signal.aborted) {
      const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=${version}`;
      try {
        await kube.watch(
          `${path}${path.includes('?') ? '&' : '?'}${query}`,
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
