import type { KubeClient } from '../kube/client.ts';
import { asArray, asRecord, asString } from '../kube/json.ts';
import type { PruneKind } from './channel.ts';
import type { ObjectRef } from './inventory.ts';
import { isKept, isSameObject } from './plan-prune.ts';

/** Says where all objects of a kind are. */
export interface Collections {
  /** The preferred version of a group's kind, and its path; undefined where the API server serves none. */
  collectionOf(
    kind: { readonly group: string; readonly kind: string; readonly namespace?: string },
    signal: AbortSignal,
  ): Promise<{ readonly apiVersion: string; readonly path: string } | undefined>;
}

/** What carries the labels that a channel names and is not in the manifest: left over from what was applied before. */
export async function findLeftOver(
  kinds: readonly PruneKind[],
  wanted: readonly ObjectRef[],
  { kube, collections }: { readonly kube: KubeClient; readonly collections: Collections },
  signal: AbortSignal,
): Promise<readonly ObjectRef[]> {
  const found: ObjectRef[] = [];
  for (const { group, kind, labelSelector, namespaces } of kinds.filter((one) => !isKept(one))) {
    for (const namespace of namespaces.length === 0 ? [undefined] : namespaces) {
      const place = { group, kind, ...(namespace === undefined ? {} : { namespace }) };
      const collection = await collections.collectionOf(place, signal);
      if (collection === undefined) continue;
      const list = await kube.get(`${collection.path}?labelSelector=${encodeURIComponent(labelSelector)}`, signal);
      for (const item of asArray(asRecord(list)['items'])) {
        const metadata = asRecord(asRecord(item)['metadata']);
        const [name, itemNamespace] = [asString(metadata['name']), asString(metadata['namespace'])];
        if (name === undefined || metadata['deletionTimestamp'] !== undefined) continue;
        const { apiVersion } = collection;
        const ref = { apiVersion, kind, name, ...(itemNamespace === undefined ? {} : { namespace: itemNamespace }) };
        if (!wanted.some((one) => isSameObject(one, ref))) found.push(ref);
      }
    }
  }
  return found;
}
