/** Enough to hide the latency of a store, few enough not to be throttled by one. */
const AT_ONCE = 16;

/** Does the work for every item, a few at a time. After a failure nothing more is begun, and what is under way is finished first. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const workers = Array.from({ length: Math.min(AT_ONCE, items.length) }, async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  });
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}
