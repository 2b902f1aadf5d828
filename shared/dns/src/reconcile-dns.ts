import { type Pace, tryAgain } from '@kopsctl/http/try-again.ts';
import { DnsConflictError } from './dns-conflict.ts';
import { planRecords, type BlockedRecord, type RecordsPlan, type RecordWishes } from './plan-records.ts';
import type { DnsProvider } from './zone.ts';

export interface DnsOutcome {
  /** The changes made, e.g. `create A api.demo.example.com = 10.0.0.1`. */
  readonly done: readonly string[];
  readonly blocked: readonly BlockedRecord[];
}

/**
 * Another writer that came first is done within milliseconds. The pauses are random, so that two writers that collided
 * once do not collide again. After that many conflicts, the caller has to try again later.
 */
const PACE: Pace = { retries: 5, minTimeout: 100, factor: 2, maxTimeout: 3_000, randomize: true };

/**
 * Makes the zones contain the wanted sets: list, plan, apply. After a conflict with another writer it starts again;
 * changes already made stay. Throws if it cannot finish; the caller decides when to retry.
 */
export function reconcileDns(
  provider: DnsProvider,
  wishes: RecordWishes,
  signal: AbortSignal,
  pace = PACE,
): Promise<DnsOutcome> {
  const done: string[] = [];
  const once = async (): Promise<DnsOutcome> => {
    const plan = await observeAndPlan(provider, wishes);
    const failures = await act(provider, plan, done);
    // A conflict is temporary, so any other failure takes precedence.
    const [failure = failures[0]] = failures.filter((thrown) => !(thrown instanceof DnsConflictError));
    if (failure !== undefined) throw failure;
    return { done, blocked: plan.blocked };
  };
  return tryAgain(once, { pace, isPassing: (thrown) => thrown instanceof DnsConflictError }, signal);
}

/** A failure in one zone does not stop the changes in the other zones. */
async function act(provider: DnsProvider, plan: RecordsPlan, done: string[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const { zone, changes } of plan.zones) {
    try {
      await provider.change(zone, changes);
      done.push(...changes.map(({ summary }) => summary));
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  return failures;
}

/** The plan that reconcileDns would apply now. */
export async function observeAndPlan(provider: DnsProvider, wishes: RecordWishes): Promise<RecordsPlan> {
  const zones = await provider.zones();
  const contents = await Promise.all(zones.map(async (zone) => ({ zone, sets: await provider.list(zone) })));
  return planRecords(contents, wishes);
}
