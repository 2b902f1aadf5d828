import type { StateStore } from '@kopsctl/state-store/store.ts';
import { refsIn, resolveRefs } from '@kopsctl/tasks/references.ts';
import { type Outputs, type Task, type TaskId, taskId } from '@kopsctl/tasks/task.ts';
import { keysetHandler } from '../handlers/keyset.ts';
import { storeEnv } from '../handlers/store-env.ts';

/**
 * The tasks with what the state store knows in place of references to it, because another tool cannot follow those. The
 * store has to be written before.
 */
export async function resolveStored(
  tasks: readonly Task[],
  { store, cluster, signal }: { readonly store: StateStore; readonly cluster: string; readonly signal: AbortSignal },
): Promise<readonly Task[]> {
  const env = storeEnv(store, cluster);
  const wanted = new Set(tasks.flatMap(({ props }) => refsIn(props).flatMap(({ ref, output }) => (output ? ref : []))));
  const known = new Map<TaskId, Outputs>();
  for (const task of tasks) {
    if (task.kind !== keysetHandler.kind || !wanted.has(taskId(task))) continue;
    const props = keysetHandler.parse(task.props);
    const found = await keysetHandler.find(task.name, props, env, signal);
    if (found !== undefined) known.set(taskId(task), keysetHandler.outputs?.(task.name, props, found) ?? {});
  }
  return tasks.map((task) => ({
    ...task,
    props: resolveRefs(task.props, (ref) => known.get(ref.ref)?.[ref.output] ?? { ...ref }),
  }));
}
