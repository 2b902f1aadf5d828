import type { ActionEvent } from '@kopsctl/actions/phases/action.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { progressCounter } from './count-progress.ts';
import { describeRoll } from './describe-roll.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { withState } from './next-command.ts';
import { describeOperation, STAGE_TEXTS } from './print-upgraded.ts';
import { describeProgress, describeTaskEvent, seconds } from './progress.ts';
import { showBar, writeErr, writeOut } from './terminal.ts';

/** What is reported about an action's work: nothing, its changes and what follows from them, or all that happens on machines too. */
export type Telling = 'nothing' | 'changes' | 'everything';

/** Phases that took less are not worth a line of their own. */
const WORTH_TELLING_MS = 2000;

/** What -v adds: every phase, then every task of plans too. */
const TELLS_PHASES = 1;
const TELLS_TASKS = 2;

/** Prints the events of an action: parts of its result to stdout, all else to stderr. Notes are always told. */
export function narrator(
  telling: Telling,
  { stateFlag, verbosity }: Pick<GlobalOptions, 'verbosity'> & { readonly stateFlag: string | undefined },
): (event: ActionEvent) => void {
  const startedMs = Date.now();
  // Where nothing was changed, how the machines once booted is not news.
  let tellsMachines = telling === 'everything';
  const failures = new Map<string, string>();
  const say = (line: string | undefined) => {
    if (line !== undefined) writeErr(`${line}\n`);
  };
  const count = progressCounter();
  return (event) => {
    const isShown = telling !== 'nothing' || event.type === 'roll' || event.type === 'counted';
    const bar = isShown ? count(event) : undefined;
    tell(event);
    if (bar !== undefined) showBar(bar);
  };

  function tell(event: ActionEvent): void {
    switch (event.type) {
      case 'result':
        writeOut(`${event.line}\n`);
        return;
      case 'note':
        say(withState(event.line, stateFlag));
        return;
      case 'task':
        // What a plan finds is printed as a whole.
        if (verbosity < TELLS_TASKS && (telling === 'nothing' || event.mode === 'plan')) return;
        tellsMachines ||= event.event.type === 'step-applied';
        if (verbosity < TELLS_TASKS && isTold(event.event, failures)) return;
        say(describeTaskEvent(event.event, startedMs));
        return;
      case 'progress':
        if (tellsMachines) say(describeProgress(event.progress, event.atMs - startedMs));
        return;
      case 'roll':
        say(describeRoll(event.event, startedMs));
        return;
      case 'operation-started':
        say(`${seconds(event.atMs - startedMs)}  ${describeOperation(event.operation, event.resumed)}`);
        return;
      case 'stage-started':
        say(
          `${seconds(event.atMs - startedMs)}  Kubernetes ${event.stage.kubernetes}: ${STAGE_TEXTS[event.stage.what]}`,
        );
        return;
      case 'phase-finished':
        if (verbosity < TELLS_PHASES && (telling === 'nothing' || event.durationMs < WORTH_TELLING_MS)) return;
        say(`${seconds(event.atMs - startedMs)}  ${event.phase}: took ${(event.durationMs / 1000).toFixed(1)} s`);
        return;
      case 'counted':
      case 'phase-started':
      case 'phase-failed':
    }
  }
}

/** Whether the cause of a failure was told with another task: a cause is told once, and all of them are at the end. */
function isTold(event: TaskEvent, failures: Map<string, string>): boolean {
  if (event.type === 'task-skipped') return true;
  if (event.type !== 'task-failed' && event.type !== 'task-retrying') return false;
  const cause = event.error.replace(/^cannot [^:]+: /, '');
  const first = failures.get(cause);
  if (first === undefined) failures.set(cause, event.task);
  return first !== undefined && first !== event.task;
}
