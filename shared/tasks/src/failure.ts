import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/**
 * "Not there yet": thrown by a handler that waits for something which comes by itself. The engine
 * tries again quietly; in a plan it counts as "does not exist".
 */
export class NotYet extends Error {
  override readonly name = 'NotYet';
  /** What a person can check when it takes too long. */
  readonly hint: string;

  constructor(waitingFor: string, hint: string) {
    super(waitingFor);
    this.hint = hint;
  }
}

/** A failure that a retry cannot fix (a broken plan, a wrong credential): the task fails at once. */
export class PermanentError extends ActionableError {
  override readonly name = 'PermanentError';
}

/** A failure as it is reported: one line, and the next step if the error names one. */
export interface Failure {
  readonly error: string;
  readonly hint?: string;
}

export function describeFailure(thrown: unknown): Failure {
  if (thrown instanceof ActionableError) return { error: thrown.message, hint: thrown.next };
  if (thrown instanceof NotYet) return { error: thrown.message, hint: thrown.hint };
  return { error: messageOf(thrown) };
}
