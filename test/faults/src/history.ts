/**
 * What clients of an etcd cluster did and saw. Each key has one writer, which writes 1, 2, 3 … and continues only once a
 * write is acknowledged, refused, or its outcome is unknown. So the value of a key tells how far its writer had come. Times are
 * milliseconds of one monotonic clock.
 */
export type Operation =
  | {
      readonly type: 'write';
      readonly key: string;
      readonly value: number;
      readonly startMs: number;
      /** Absent if no answer came: the write may or may not have happened. */
      readonly ackMs?: number;
      /** etcd answered that the condition of the write did not hold: it has not happened and never will. */
      readonly isRefused?: true;
    }
  | {
      /** A linearizable read. */
      readonly type: 'read';
      readonly key: string;
      /** 0 if the key did not exist. */
      readonly value: number;
      readonly startMs: number;
      readonly endMs: number;
    };

/** The events that one watcher received, in the order of their arrival. It watches from before the first write on. */
export interface Watched {
  readonly watcher: string;
  readonly events: readonly { readonly key: string; readonly value: number; readonly revision: number }[];
}

export interface History {
  readonly operations: readonly Operation[];
  readonly watched: readonly Watched[];
  /** The cluster ids in all answers to the clients, and those that members reported. */
  readonly clusterIds: readonly string[];
}

/**
 * Everything in a history that violates a guarantee of etcd; empty if there is nothing. The guarantees: no acknowledged
 * write is lost, no linearizable read is stale or goes back, the revisions of a watcher never go back and include every
 * acknowledged write, and there is one cluster.
 */
export function violations(history: History): readonly string[] {
  const keys = new Set(history.operations.map(({ key }) => key));
  return [
    ...[...keys].flatMap((key) => keyViolations(key, history)),
    ...history.watched.flatMap((watched) => watchViolations(watched, history)),
    ...(new Set(history.clusterIds).size > 1 ? [`two clusters: ${[...new Set(history.clusterIds)].join(', ')}`] : []),
  ];
}

function keyViolations(key: string, { operations }: History): readonly string[] {
  const own = operations.filter((operation) => operation.key === key);
  const writes = own.filter((operation) => operation.type === 'write');
  const reads = own.filter((operation) => operation.type === 'read').toSorted((a, b) => a.startMs - b.startMs);
  const acknowledged = highestBefore(
    writes.flatMap(({ ackMs, value }) => (ackMs === undefined ? [] : [{ atMs: ackMs, value }])),
  );
  const begun = highestBefore(
    writes.filter(({ isRefused }) => isRefused !== true).map(({ startMs, value }) => ({ atMs: startMs, value })),
  );
  const seen = highestBefore(reads.map(({ endMs, value }) => ({ atMs: endMs, value })));
  const refused = refusedValues(writes);
  const found: string[] = [];
  for (const { value, startMs, endMs } of reads) {
    const [least, most, earlier] = [acknowledged(startMs), begun(endMs), seen(startMs)];
    const at = `${key} read as ${value} at ${Math.round(startMs)} ms`;
    if (value < least) found.push(`${at}, although ${least} was acknowledged before`);
    if (value > most) found.push(`${at}, although no client had written more than ${most}`);
    if (refused.has(value)) found.push(`${at}, although etcd had refused that write`);
    if (value < earlier) found.push(`${at}, although ${earlier} had been read before`);
  }
  return found;
}

function watchViolations({ watcher, events }: Watched, { operations }: History): readonly string[] {
  const found: string[] = [];
  const writes = Map.groupBy(
    operations.filter((one) => one.type === 'write'),
    ({ key }) => key,
  );
  const acknowledged = new Map([...writes].map(([key, own]) => [key, acknowledgedValues(own)]));
  const refused = new Map([...writes].map(([key, own]) => [key, refusedValues(own)]));
  const last = new Map<string, number>();
  let revision = 0;
  for (const event of events) {
    if (event.revision < revision) found.push(`${watcher}: revision ${event.revision} after ${revision}`);
    revision = Math.max(revision, event.revision);
    const before = last.get(event.key) ?? 0;
    if (event.value <= before) found.push(`${watcher}: ${event.key} went from ${before} to ${event.value}`);
    const values = acknowledged.get(event.key) ?? [];
    const skipped = values[firstWhere(values, (value) => value > before)];
    if (skipped !== undefined && skipped < event.value)
      found.push(`${watcher}: never received ${event.key}=${skipped}`);
    if (refused.get(event.key)?.has(event.value) === true)
      found.push(`${watcher}: ${event.key}=${event.value}, which etcd had refused`);
    last.set(event.key, event.value);
  }
  for (const [key, values] of acknowledged) {
    const [told, value] = [last.get(key) ?? 0, values.at(-1) ?? 0];
    if (told < value) found.push(`${watcher}: never received ${key}=${value}, only up to ${told}`);
  }
  return found;
}

interface ValueAt {
  readonly atMs: number;
  readonly value: number;
}

/**
 * Finds the highest value from before a time, 0 if there is none. A history has thousands of operations, so looking through all
 * of them for each of them would take longer than the fault.
 */
function highestBefore(values: readonly ValueAt[]): (timeMs: number) => number {
  const highest: ValueAt[] = [];
  for (const { atMs, value } of values.toSorted((a, b) => a.atMs - b.atMs)) {
    highest.push({ atMs, value: Math.max(value, highest.at(-1)?.value ?? 0) });
  }
  return (timeMs) => highest[firstWhere(highest, ({ atMs }) => atMs >= timeMs) - 1]?.value ?? 0;
}

/** The index of the first element with a property that all after it have too; the length if there is none. */
function firstWhere<T>(sorted: readonly T[], has: (element: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const element = sorted[middle];
    if (element !== undefined && has(element)) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Write = Extract<Operation, { type: 'write' }>;

/** In ascending order. */
function acknowledgedValues(writes: readonly Write[]): readonly number[] {
  return writes
    .filter(({ ackMs }) => ackMs !== undefined)
    .map(({ value }) => value)
    .toSorted((a, b) => a - b);
}

function refusedValues(writes: readonly Write[]): ReadonlySet<number> {
  return new Set(writes.filter(({ isRefused }) => isRefused === true).map(({ value }) => value));
}
