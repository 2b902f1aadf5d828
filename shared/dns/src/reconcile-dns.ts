import { DnsConflictError } from './dns-conflict.ts';
import { planRecords, type BlockedRecord, type RecordsPlan, type RecordWishes } from './plan-records.ts';
import type { DnsProvider } from './zone.ts';

export interface ReconcileDnsEnv {
  sleep(ms: number): Promise<void>;
  /** Returns a random number from 0 to 1. */
  random(): number;
}

export interface DnsOutcome {
  /** The changes made, e.g. `create A api.demo.example.com = 10.0.0.1`. */
  readonly done: readonly string[];
  readonly blocked: readonly BlockedRecord[];
}

/** After this many conflicts with other writers, the caller has to try again later. */
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 100;

/**
 * Makes the zones contain the wanted sets: list, plan, apply. After a conflict with another writer it starts again;
 * changes already made stay. Throws if it cannot finish; the caller decides when to retry.
 */
export async function reconcileDns(
  provider: DnsProvider,
  wishes: RecordWishes,
  env: ReconcileDnsEnv,
): Promise<DnsOutcome> {
  const done: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const plan = await observeAndPlan(provider, wishes);
    const failures = await act(provider, plan, done);
    const [failure = failures[0]] = failures.filter((thrown) => !(thrown instanceof DnsConflictError));
    if (failure === undefined) return { done, blocked: plan.blocked };
    if (!(failure instanceof DnsConflictError) || attempt === MAX_ATTEMPTS) throw failure;
    // Jitter, so that two writers that collided once do not collide again.
    await env.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + env.random()));
  }
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
