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
  const found: string[] = [];
  for (const read of reads) {
    const acknowledged = writes.filter(({ ackMs }) => ackMs !== undefined && ackMs < read.startMs);
    const least = Math.max(0, ...acknowledged.map(({ value }) => value));
    const begun = writes.filter(({ startMs, isRefused }) => isRefused !== true && startMs < read.endMs);
    const most = Math.max(0, ...begun.map(({ value }) => value));
    const at = `${key} read as ${read.value} at ${Math.round(read.startMs)} ms`;
    if (read.value < least) found.push(`${at}, although ${least} was acknowledged before`);
    if (read.value > most) found.push(`${at}, although no client had written more than ${most}`);
    if (isRefusedValue(read.value, writes)) found.push(`${at}, although etcd had refused that write`);
    const earlier = reads.filter(({ endMs }) => endMs < read.startMs);
    const seen = Math.max(0, ...earlier.map(({ value }) => value));
    if (read.value < seen) found.push(`${at}, although ${seen} had been read before`);
  }
  return found;
}

function watchViolations({ watcher, events }: Watched, { operations }: History): readonly string[] {
  const found: string[] = [];
  const last = new Map<string, number>();
  let revision = 0;
  for (const event of events) {
    if (event.revision < revision) found.push(`${watcher}: revision ${event.revision} after ${revision}`);
    revision = Math.max(revision, event.revision);
    const before = last.get(event.key) ?? 0;
    if (event.value <= before) found.push(`${watcher}: ${event.key} went from ${before} to ${event.value}`);
    const skipped = operations.find(
      (one) =>
        one.type === 'write' &&
        one.key === event.key &&
        one.ackMs !== undefined &&
        one.value > before &&
        one.value < event.value,
    );
    if (skipped !== undefined) found.push(`${watcher}: never received ${event.key}=${skipped.value}`);
    const writes = operations.filter((one) => one.type === 'write' && one.key === event.key);
    if (isRefusedValue(event.value, writes))
      found.push(`${watcher}: ${event.key}=${event.value}, which etcd had refused`);
    last.set(event.key, event.value);
  }
  for (const [key, value] of lastAcknowledged(operations)) {
    const told = last.get(key) ?? 0;
    if (told < value) found.push(`${watcher}: never received ${key}=${value}, only up to ${told}`);
  }
  return found;
}

function isRefusedValue(value: number, writes: readonly Operation[]): boolean {
  return writes.some((one) => one.type === 'write' && one.value === value && one.isRefused === true);
}

function lastAcknowledged(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const one of operations) {
    if (one.type === 'write' && one.ackMs !== undefined) last.set(one.key, Math.max(one.value, last.get(one.key) ?? 0));
  }
  return last;
}
