import type { Wake } from '@kopsctl/agent/wake.ts';
import type { KubeClient } from './client.ts';
import { Followed } from './followed.ts';

export interface ObjectsAction<T> {
  /** The collection, e.g. `/api/v1/nodes`. */
  readonly path: string;
  /** The part of an object to keep (whole objects are large: a Node lists its images), or undefined to skip it. */
  readonly parse: (object: unknown) => T | undefined;
  /** Rung by every change of the collection; others may ring it too. */
  readonly wake: Wake;
  /** `act` is called again after this time even without a change, in case somebody has changed what it maintains. */
  readonly lookAgainMs: number;
  readonly act: (objects: readonly T[], signal: AbortSignal) => Promise<void>;
}

/** Follows a collection and calls `act` with all of it whenever `wake` rings: the loop of every reconciler of Nodes. */
export async function actOnObjects<T>(kube: KubeClient, action: ObjectsAction<T>, signal: AbortSignal): Promise<void> {
  const { path, parse, wake, lookAgainMs, act } = action;
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const objects = new Followed(path, parse);
  const following = objects.follow(kube, wake, both);
  const acting = (async () => {
    while (!both.aborted) {
      const { items } = objects;
      if (items !== undefined) await act(items, both);
      await wake.wait(lookAgainMs, both);
    }
  })();
  try {
    await Promise.race([following, acting]);
  } finally {
    ended.abort();
    await Promise.allSettled([following, acting]);
  }
}
