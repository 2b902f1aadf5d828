export interface ActionableErrorDetail {
  /** What was being attempted, completing "cannot …", e.g. `read the cluster spec of demo.example.com`. */
  readonly what: string;
  /** Why it could not be done, with the names and values found. */
  readonly why: string;
  /** What the person should do next, preferably a command. */
  readonly next: string;
  /** Only the command line is at fault: the command exits with 3. */
  readonly isUsage?: boolean;
  readonly cause?: unknown;
}

/**
 * A failure that a person can act on: everything the operator, the cloud or the
 * host can get wrong. For a broken invariant of our own, throw a plain Error.
 */
export class ActionableError extends Error {
  override readonly name: string = 'ActionableError';
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly isUsage: boolean;

  constructor(detail: ActionableErrorDetail) {
    super(`cannot ${detail.what}: ${detail.why}`, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.what = detail.what;
    this.why = detail.why;
    this.next = detail.next;
    this.isUsage = detail.isUsage ?? false;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The `code` that Node puts on its system errors (ENOENT, ECONNREFUSED …), where there is one. */
export function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return undefined;
}
