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

/** A cluster whose machines all start at once says this much and more; one of its machines' logs need not hold it all. */
const MAX_LINES = 256;

/** Returns a function that logs up to a number of lines in each interval, and then how many it left out. */
export function rateLimitedInfo(log: GossipLog, nowMs: () => number = () => performance.now()): GossipLog['info'] {
  let sinceMs = -Infinity;
  let lines = 0;
  return (message, fields) => {
    if (nowMs() - sinceMs >= INTERVAL_MS) {
      const leftOut = lines - MAX_LINES;
      if (leftOut > 0) log.info('members came and went', { leftOut });
      sinceMs = nowMs();
      lines = 0;
    }
    lines += 1;
    if (lines <= MAX_LINES) log.info(message, fields);
  };
}

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
