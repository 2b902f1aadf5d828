import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import type { Progress } from '../follow/follow-cluster.ts';
import type { ChangeAuthor } from '../history/spec-change.ts';
import type { RollEvent } from '../rolling/roll-events.ts';
import type { Operation, Stage } from '../upgrade/operation.ts';

/** What an action tells while it works, in the order in which it happens. Times are Unix time in milliseconds. */
export type ActionEvent =
  | { readonly type: 'phase-started'; readonly phase: string; readonly atMs: number }
  | { readonly type: 'phase-finished'; readonly phase: string; readonly atMs: number; readonly durationMs: number }
  | { readonly type: 'phase-failed'; readonly phase: string; readonly atMs: number; readonly error: string }
  /** A task of the control side, of a plan or of an apply. */
  | { readonly type: 'task'; readonly mode: 'plan' | 'apply'; readonly event: TaskEvent }
  /** Something happened on a machine or in the cluster. */
  | { readonly type: 'progress'; readonly atMs: number; readonly progress: Progress }
  /** Something happened in a rolling update. */
  | { readonly type: 'roll'; readonly event: RollEvent }
  /** An upgrade or a reconciliation begins, or goes on. */
  | {
      readonly type: 'operation-started';
      readonly atMs: number;
      readonly operation: Operation;
      readonly resumed: boolean;
    }
  | { readonly type: 'stage-started'; readonly atMs: number; readonly stage: Stage }
  /** A part of something that is counted is done, e.g. of the files that are copied; `done` is `total` at its end. */
  | ({ readonly type: 'counted'; readonly atMs: number } & Counted)
  /** A sentence for a person, beside the result. */
  | { readonly type: 'note'; readonly line: string }
  /** A part of the result that stands, whatever comes after it. */
  | { readonly type: 'result'; readonly line: string };

/** How much of something is done. */
export interface Counted {
  /** What is counted, e.g. `files`: each is counted by itself. */
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

/** What every action is given of the world around it. */
export interface ActionContext {
  /** The URL of the state store, where one was named. */
  readonly state?: string;
  /** The cluster that --name names. */
  readonly name?: string;
  /** The person that the history names for changes of specs; without it, they are not recorded. */
  readonly author?: ChangeAuthor | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the action: what is under way is finished first. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: ActionEvent) => void;
}

/** Runs one phase of an action and reports when it starts and how it ends. */
export async function inPhase<Result>(
  { onEvent }: Pick<ActionContext, 'onEvent'>,
  phase: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const startedMs = Date.now();
  onEvent({ type: 'phase-started', phase, atMs: startedMs });
  try {
    const result = await work();
    const atMs = Date.now();
    onEvent({ type: 'phase-finished', phase, atMs, durationMs: atMs - startedMs });
    return result;
  } catch (error) {
    onEvent({ type: 'phase-failed', phase, atMs: Date.now(), error: messageOf(error) });
    throw error;
  }
}

/** Tells how much of something is done. */
export const count = ({ onEvent }: Pick<ActionContext, 'onEvent'>, counted: Counted): void =>
  onEvent({ type: 'counted', atMs: Date.now(), ...counted });

/** Tells the person a sentence beside the result. */
export const note = ({ onEvent }: Pick<ActionContext, 'onEvent'>, line: string): void =>
  onEvent({ type: 'note', line });

/** Tells the person a part of the result at once. */
export const result = ({ onEvent }: Pick<ActionContext, 'onEvent'>, line: string): void =>
  onEvent({ type: 'result', line });
