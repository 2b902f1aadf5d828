import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from './action.ts';

/** Opens the state store that the person named; as with kops, there is no default. */
export async function openStateStore({ state, env }: Pick<ActionContext, 'state' | 'env'>): Promise<StateStore> {
  if (state === undefined) {
    throw new ActionableError({
      what: 'find the state store',
      why: 'neither --state nor KOPS_STATE_STORE is set',
      next: 'name it, e.g. --state file:///var/lib/kopsctl/state or --state s3://BUCKET',
    });
  }
  const { openStore } = await import('@kopsctl/state-store/open.ts');
  return openStore(state, env);
}
