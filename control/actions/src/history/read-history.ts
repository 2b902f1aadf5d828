import type { StateStore } from '@kopsctl/state-store/store.ts';
import { inParallel } from '../store/in-parallel.ts';
import { historyFolder } from './history-folder.ts';
import {
  type ChangeRecord,
  changePath,
  numberIn,
  type ObjectRecord,
  parseChange,
  parseObjectRecord,
  type SpecChange,
} from './spec-change.ts';

/** The recorded changes of a cluster's spec, the oldest first. Changes that wrote nothing in the end are left out. */
export async function readHistory(store: StateStore, cluster: string): Promise<readonly SpecChange[]> {
  const changes = new Map<number, ChangeRecord>();
  const objects = new Map<number, ObjectRecord[]>();
  await inParallel(await store.list(historyFolder(cluster)), async ({ path }) => {
    const number = numberIn(path);
    const stored = number === undefined ? undefined : await store.read(path);
    // Removed since the listing: it was one of the oldest.
    if (number === undefined || stored === undefined) return;
    const text = new TextDecoder().decode(stored.bytes);
    if (path === changePath(cluster, number)) {
      const change = parseChange(text);
      if (change !== undefined) changes.set(number, change);
      return;
    }
    const object = parseObjectRecord(text);
    if (object !== undefined) objects.set(number, [...(objects.get(number) ?? []), object]);
  });
  return [...changes]
    .map(([number, change]) => ({ ...change, number, objects: sorted(objects.get(number) ?? []) }))
    .filter((change) => change.objects.length > 0)
    .toSorted((left, right) => left.number - right.number);
}

const sorted = (objects: readonly ObjectRecord[]): readonly ObjectRecord[] =>
  objects.toSorted((left, right) => (left.path < right.path ? -1 : 1));
