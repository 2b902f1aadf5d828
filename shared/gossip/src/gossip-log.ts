import { performance } from 'node:perf_hooks';

/** The log of a peer. The log of every agent implements it. Messages are constant; what differs is in the fields. */
export interface GossipLog {
  info(message: string, fields?: GossipLogFields): void;
  warn(message: string, fields?: GossipLogFields): void;
}

export type GossipLogFields = Readonly<Record<string, unknown>>;

/** Warns about one kind of fault, limited in rate for each kind. */
export type Warn = (kind: string, message: string, fields: GossipLogFields) => void;

/** Anyone can send bytes to a peer, so a fault of one kind is logged at most this often. */
const INTERVAL_MS = 10_000;

/**
 * Returns a function that logs the first message of each kind at once, and the next one only after an interval, with
 * the number of messages left out.
 */
export function rateLimitedWarn(log: GossipLog, nowMs: () => number = () => performance.now()): Warn {
  const logged = new Map<string, { atMs: number; leftOut: number }>();
  return (kind, message, fields) => {
    const last = logged.get(kind);
    if (last !== undefined && nowMs() - last.atMs < INTERVAL_MS) {
      last.leftOut += 1;
      return;
    }
    logged.set(kind, { atMs: nowMs(), leftOut: 0 });
    log.warn(message, { ...fields, ...(last !== undefined && last.leftOut > 0 && { leftOut: last.leftOut }) });
  };
}
