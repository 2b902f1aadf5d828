import type { Wake } from '@kopsctl/agent/wake.ts';
import type { KubeClient } from './client.ts';
import { followList } from './follow-list.ts';

export interface ObjectsAction<T> {
  /** The collection, e.g. `/api/v1/nodes`. */
  readonly path: string;
  /** What is kept of an object; undefined: it is of no interest. Whole objects are large (a Node lists its images). */
  readonly parse: (object: unknown) => T | undefined;
  /** Rung by every change here; others may ring it too. */
  readonly wake: Wake;
  /** What is watched is looked at again after this time, in case somebody changed what the action keeps true. */
  readonly lookAgainMs: number;
  readonly act: (objects: readonly T[], signal: AbortSignal) => Promise<void>;
}

/** Follows a collection and acts on all of it whenever the bell rings: the loop of every reconciler of Nodes. */
export async function actOnObjects<T extends { readonly name: string }>(
  kube: KubeClient,
  action: ObjectsAction<T>,
  signal: AbortSignal,
): Promise<void> {
  const { path, parse, wake, lookAgainMs, act } = action;
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const known = new Map<string, T>();
  let isListed = false;
  const remember = (object: unknown): void => {
    const parsed = parse(object);
    if (parsed !== undefined) known.set(parsed.name, parsed);
  };
  const forget = (object: unknown): void => {
    const parsed = parse(object);
    if (parsed !== undefined) known.delete(parsed.name);
  };
  const following = followList(kube, path, both, (change) => {
    if (change.type === 'begin') {
      known.clear();
      isListed = false;
    } else if (change.type === 'listed') isListed = true;
    else if (change.type === 'gone') forget(change.object);
    else remember(change.object);
    wake.ring();
  });
  const acting = (async () => {
    while (!both.aborted) {
      if (isListed) await act([...known.values()], both);
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
