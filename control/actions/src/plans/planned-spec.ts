import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findCluster } from '../store/cluster-store.ts';
import { readInputText } from '../files/read-input.ts';
import { parseSavedPlan, type SavedPlan } from './saved-plan.ts';

/** Reads a plan's file and refuses one of another state store. */
export async function readSavedPlan(file: string, store: StateStore, env: NodeJS.ProcessEnv): Promise<SavedPlan> {
  const saved = parseSavedPlan(await readInputText(file, env), file);
  if (saved.store === store.url) return saved;
  throw new ActionableError({
    what: `apply the saved plan ${file}`,
    why: `it was made for ${saved.store}, not for ${store.url}`,
    next: `repeat with --state ${saved.store}`,
  });
}

/** The spec as it stands once a plan's changes are written: they are laid over what the store holds. */
export async function plannedSpec(
  store: StateStore,
  { cluster: name, changes }: SavedPlan,
): Promise<{ readonly cluster: Cluster; readonly instanceGroups: readonly InstanceGroup[] }> {
  const stored = await findCluster(store, name);
  const given = changes.flatMap(({ path, text }) => parseObjects(text, path).objects);
  const cluster = given.flatMap((object) => (object.kind === 'Cluster' ? [object.value] : []))[0] ?? stored?.cluster;
  if (cluster === undefined) {
    throw new ActionableError({
      what: `apply the saved plan of ${name}`,
      why: `${store.url} no longer holds that cluster`,
      next: 'nothing was changed; make a new plan with `kopsctl plan --out FILE`',
    });
  }
  const groups = given.flatMap((object) => (object.kind === 'InstanceGroup' ? [object.value] : []));
  const names = new Set(groups.map(({ metadata }) => metadata.name));
  const kept = (stored?.instanceGroups ?? []).filter(({ metadata }) => !names.has(metadata.name));
  return { cluster, instanceGroups: [...kept, ...groups] };
}
