import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { PruneKind } from '@kopsctl/kube/addons/channel.ts';
import type { ObjectRef } from './inventory.ts';
import { isKept, isSameObject } from './plan-prune.ts';

/** Finds the collection of a kind. */
export interface Collections {
  /** The group's preferred version and the path of the collection; undefined when the API server does not serve the kind. */
  collectionOf(
    kind: { readonly group: string; readonly kind: string; readonly namespace?: string },
    signal: AbortSignal,
  ): Promise<{ readonly apiVersion: string; readonly path: string } | undefined>;
}

/** Finds objects that carry the labels the channel names but are not in the manifest: an older manifest left them. */
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
