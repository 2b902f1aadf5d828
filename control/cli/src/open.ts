import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { GlobalOptions } from './program.ts';

/** Where clusters are kept when neither --state nor KOPS_STATE_STORE says so; kops has no default and refuses. */
export async function openStateStore(global: GlobalOptions): Promise<StateStore> {
  if (global.state === undefined) {
    throw new ActionableError({
      what: 'find the state store',
      why: 'neither --state nor KOPS_STATE_STORE is set',
      next: 'name it, e.g. --state file:///var/lib/kopsctl/state or --state s3://BUCKET',
    });
  }
  const { openStore } = await import('@kopsctl/state-store/open.ts');
  return openStore(global.state, process.env);
}

/** The cluster a command is about: its argument, --name, or the only one in the store. */
export async function chooseCluster(
  global: GlobalOptions,
  argument: string | undefined,
  store: StateStore,
): Promise<string> {
  const named = argument ?? global.name;
  if (named !== undefined) return named;
  const { listClusters } = await import('@kopsctl/apply/cluster-store.ts');
  const names = await listClusters(store);
  const [only] = names;
  if (names.length === 1 && only !== undefined) return only;
  throw new ActionableError({
    what: 'choose a cluster',
    why: names.length === 0 ? `${store.url} holds none` : `${store.url} holds ${names.join(', ')}`,
    next: names.length === 0 ? 'create one with `kopsctl apply -f FILE --yes`' : 'name one with --name',
  });
}
