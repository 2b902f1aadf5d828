import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { isAbort } from '@kopsctl/errors/is-abort.ts';
import type { Repeating } from '../phases/repeat-passing.ts';
import type { Journal } from '../store/journal.ts';
import { repeatedJournal } from '../store/repeated-journal.ts';
import type { Operation, Stage } from './operation.ts';

const BY_PERSON = 'a person stopped it';

/** How a stage ended. */
export type StageOutcome =
  | { readonly state: 'done' }
  | { readonly state: 'stopped' | 'paused' | 'aborted' | 'failed'; readonly why: string };

export interface OperationEnv extends Repeating {
  readonly journal: Journal<Operation>;
  /** Does all that a stage is for. What was done before is done again without harm. */
  readonly take: (stage: Stage, signal: AbortSignal) => Promise<StageOutcome>;
  /** Called with the stage that begins now. */
  readonly onStage: (stage: Stage) => void;
}

/**
 * Goes through the stages of an upgrade or a reconciliation until all are done, one does not end well, or a person stops it.
 * Each stage is in the journal before it begins. Resolves with the journal.
 *
 * @param stop ends it in good order; `signal` ends everything at once, because the lock was lost
 */
export async function runOperation(
  start: Operation,
  env: OperationEnv,
  { stop, signal }: { readonly stop: AbortSignal; readonly signal: AbortSignal },
): Promise<Operation> {
  const { nowMs, take, onStage } = env;
  const journal = repeatedJournal(env.journal, env, signal);
  let operation = await journal.write({ ...start, state: 'running', wish: undefined, why: undefined });
  const end = (state: Operation['state'], why?: string) =>
    journal.write({ ...operation, state, endedMs: nowMs(), ...(why !== undefined && { why }) });
  for (;;) {
    signal.throwIfAborted();
    operation = { ...operation, wish: (await journal.refresh())?.wish };
    const index = operation.stages.findIndex(({ state }) => state !== 'done');
    const due = operation.stages[index];
    if (due === undefined) return end('done');
    if (stop.aborted) return end('stopped', BY_PERSON);
    if (operation.wish !== undefined) return end(operation.wish === 'pause' ? 'paused' : 'aborted');
    const begun: Stage = { ...due, state: 'running', sinceMs: due.sinceMs ?? nowMs() };
    operation = await journal.write(withStage(operation, index, begun));
    onStage(begun);
    const outcome = await taken(() => take(begun, signal), { stop, signal });
    if (outcome.state !== 'done') {
      const ended = await end(outcome.state, outcome.why);
      if (outcome.cause !== undefined) throw outcome.cause;
      return ended;
    }
    operation = await journal.write(withStage(operation, index, { ...begun, state: 'done' }));
  }
}

const withStage = (operation: Operation, index: number, stage: Stage): Operation => ({
  ...operation,
  stages: operation.stages.with(index, stage),
});

/** What a stage throws is the reason for which it failed, and what the person is told, unless it was the person who ended it. */
async function taken(
  take: () => Promise<StageOutcome>,
  { stop, signal }: { readonly stop: AbortSignal; readonly signal: AbortSignal },
): Promise<StageOutcome & { readonly cause?: unknown }> {
  try {
    return await take();
  } catch (cause) {
    signal.throwIfAborted();
    if (stop.aborted && isAbort(cause)) return { state: 'stopped', why: BY_PERSON };
    return { state: 'failed', why: messageOf(cause), cause };
  }
}
