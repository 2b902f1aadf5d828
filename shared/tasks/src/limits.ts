import type { BackoffLimits } from './backoff.ts';

/** Bounds of a run; each has a default. */
export interface Limits extends BackoffLimits {
  /** Tasks at work at once, of all kinds together. */
  readonly concurrency: number;
  /** How long a task is tried, from its first start. */
  readonly perTaskDeadlineMs: number;
  /** How long a handler may take to stop before the run goes on without it. */
  readonly graceMs: number;
}

const APPLY_LIMITS: Limits = {
  concurrency: 32,
  perTaskDeadlineMs: 10 * 60 * 1000,
  firstBackoffMs: 100,
  maxBackoffMs: 10_000,
  graceMs: 5_000,
};

/** A plan gives up sooner: a person waits for it, and it changes nothing. */
const PLAN_LIMITS: Limits = { ...APPLY_LIMITS, perTaskDeadlineMs: 15_000, maxBackoffMs: 2_000 };

/** Tasks of one kind at work at once, unless its handler says otherwise. */
export const KIND_CONCURRENCY = 16;

export function limitsOf(mode: 'plan' | 'apply', given: Partial<Limits> = {}): Limits {
  return { ...(mode === 'plan' ? PLAN_LIMITS : APPLY_LIMITS), ...given };
}
