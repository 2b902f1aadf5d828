import { stateKeyOf } from '@kopsctl/spec/state-key.ts';
import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../cluster-facts.ts';

/**
 * What keysets and secrets of the store are sealed with; no task where the spec says nothing about it.
 *
 * @param after what gives machines the right to open them: nothing is sealed before
 */
export function stateKey({ cluster }: Pick<ClusterFacts, 'cluster'>, after: readonly TaskId[]): readonly Task[] {
  const setting = stateKeyOf(cluster);
  if (setting === undefined) return [];
  const { sealsWith } = setting;
  const props = { ...(sealsWith === undefined ? {} : { sealsWith }), after: after.map((ref) => ({ ref })) };
  return [{ kind: 'StateKey', name: 'state-key', props }];
}
