import type { Handler } from '@kopsctl/tasks/task.ts';
import { type TaskId, taskId } from '@kopsctl/tasks/task.ts';

/** The same handlers, except that they plan changes only for these tasks. */
export const onlyTasks = <Env>(
  handlers: readonly Handler<Env>[],
  allowed: ReadonlySet<TaskId>,
): readonly Handler<Env>[] =>
  handlers.map((handler) => ({
    ...handler,
    plan: (name, props, actual) =>
      allowed.has(taskId({ kind: handler.kind, name })) ? handler.plan(name, props, actual) : [],
  }));
