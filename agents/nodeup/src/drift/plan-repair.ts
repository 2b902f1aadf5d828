import type { DriftedTask } from '@kopsctl/node-plan/drift-report.ts';
import { buildGraph } from '@kopsctl/tasks/graph.ts';
import type { TaskResult } from '@kopsctl/tasks/run-result.ts';
import { type Task, type TaskId, taskId } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

export interface RepairPlan {
  /** Tasks from which the machine differs, and which a repair may carry out. */
  readonly mends: readonly TaskId[];
  /** The rest of what differs, or is not known. */
  readonly differences: readonly DriftedTask[];
}

/**
 * Decides which findings of a check are repaired, and which are only reported. Pure.
 *
 * A download that is gone is not a difference: what was made from it is compared by itself. What comes from keysets and secrets
 * is never repaired here. The state store may already hold the next pair of keys, and machines take it one after the other.
 */
export function planRepair(
  tasks: readonly Task[],
  checked: readonly TaskResult[],
  { repairs }: { readonly repairs: boolean },
): RepairPlan {
  const byId = new Map(tasks.map((task) => [taskId(task), task]));
  const mends: TaskId[] = [];
  const differences: DriftedTask[] = [];
  for (const { id, result, steps, error } of checked) {
    const task = byId.get(id);
    if (task === undefined || task.kind === 'Asset') continue;
    if (result === 'failed') {
      differences.push({ task: id, what: 'look at it', outcome: 'unknown', why: error ?? 'it failed' });
    }
    if (steps.length === 0) continue;
    const what = steps.map(({ summary }) => summary).join('; ');
    const held = repairs ? whyHeld(task) : undefined;
    if (!repairs) differences.push({ task: id, what, outcome: 'reported' });
    else if (held !== undefined) differences.push({ task: id, what, outcome: 'held', why: held });
    else mends.push(id);
  }
  return { mends, differences };
}

function whyHeld({ kind, props }: Task): string | undefined {
  const { content } = props;
  const isOfStore = isRecord(content) && ('keyset' in content || 'secret' in content);
  if (kind !== 'Certificate' && !isOfStore) return undefined;
  return 'keys and secrets may be about to change in the whole cluster: repair it with `systemctl restart nodeup` there';
}

/**
 * The tasks that a repair may change: those to be mended, the downloads that they are made from, and units, which are started
 * where they do not run and restarted where one of their files is written. Pure.
 */
export function repairedTasks(tasks: readonly Task[], mends: readonly TaskId[]): ReadonlySet<TaskId> {
  const graph = buildGraph(tasks);
  const services = tasks.filter(({ kind }) => kind === 'Service').map((task) => taskId(task));
  const allowed = new Set<TaskId>([...mends, ...services]);
  for (const id of mends) {
    for (const need of graph.get(id)?.reads ?? []) if (graph.get(need)?.task.kind === 'Asset') allowed.add(need);
  }
  return allowed;
}
