import { readCluster } from '@kopsctl/apply/cluster-store.ts';
import { completeAndValidate } from '@kopsctl/apply/complete.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Says whether a value of the completed spec was set by a person or which rule inferred it. */
export async function explain(global: GlobalOptions, kind: string, name: string, path: string): Promise<number> {
  if (kind !== 'cluster') {
    throw new ActionableError({
      what: `explain ${kind}`,
      why: 'only `cluster` can be explained',
      next: 'kopsctl explain cluster NAME spec.path',
    });
  }
  const store = await openStateStore(global);
  const stored = await readCluster(store, name);
  const completed = completeAndValidate(stored.cluster, stored.instanceGroups, store.url);
  const value = path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], completed.cluster);
  const origin = completed.origins.cluster[path] ?? (value === undefined ? 'nothing sets it' : 'set by you');
  process.stdout.write(`${path} = ${JSON.stringify(value)}\n  ${origin}\n`);
  return 0;
}
