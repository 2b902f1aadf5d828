import { performance } from 'node:perf_hooks';

/** Where a peer says what it decided; the log of every agent will do. */
export interface GossipLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Anybody can send bytes here, so what is wrong with them is said no more often than this. */
const INTERVAL_MS = 10_000;

/** Says the first of many things of one kind, and after a while how many more there were. */
export function sparingly(log: GossipLog, nowMs: () => number = () => performance.now()) {
  const said = new Map<string, { atMs: number; unsaid: number }>();
  return (kind: string, message: string): void => {
    const known = said.get(kind);
    if (known !== undefined && nowMs() - known.atMs < INTERVAL_MS) {
      known.unsaid += 1;
      return;
    }
    const more = known === undefined || known.unsaid === 0 ? '' : ` (and ${known.unsaid} more since)`;
    said.set(kind, { atMs: nowMs(), unsaid: 0 });
    log.warn(`${message}${more}`);
  };
}
