import type { TaskEvent } from './event.ts';
import type { Places } from './places.ts';
import type { Handler, Task } from './task.ts';
import type { Limits } from './limits.ts';
import type { TryEnv } from './try-until.ts';

/** What the parts of one run share. */
export interface RunScope<Env> extends TryEnv {
  readonly mode: 'plan' | 'apply';
  readonly env: Env;
  readonly handlers: ReadonlyMap<string, Handler<Env>>;
  readonly places: Places;
  /** The limits of tasks of a kind. */
  readonly limitsOf: (kind: string) => Limits;
  readonly emit: (event: TaskEvent) => void;
  readonly onResolved: (task: Task) => void;
}
