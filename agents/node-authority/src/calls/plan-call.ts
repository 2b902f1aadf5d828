/** How the last call of a machine ended. */
export type CallEnd =
  /** Nothing listens there: it has not got that far yet. */
  | { readonly end: 'refused' }
  /** Nothing answers at that address. */
  | { readonly end: 'silent' }
  /** It hung up without a word: it talks to another authority. */
  | { readonly end: 'hung-up' }
  /** It was refused, or said nothing until its time was over. */
  | { readonly end: 'unproven' }
  /** It has said when it wants to be called again; undefined if the connection broke. */
  | { readonly end: 'talked'; readonly againSeconds: number | undefined };

export interface CallHistory {
  readonly last: CallEnd;
  /** How many calls have ended like the last since it last talked. */
  readonly times: number;
  /** Since this authority has known of the machine, in ms. */
  readonly knownForMs: number;
}

/** A machine that boots listens within this time. All its first pods wait for that call. */
const BOOT_MS = 5 * 60_000;
const BOOT_PAUSE_MS = 250;
const BUSY_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Bounds of what machines may wish. A wish does not make calls more frequent, and an enrolled machine is called now and then. */
const SHORTEST_WISH_MS = 5_000;
/** A machine that boots has something to say all the time: its plan, its certificates, how far it has come. */
const SHORTEST_WISH_OF_BOOT_MS = 1_000;
const LONGEST_WISH_MS = 60 * 60_000;

/** After what time a machine is called again, in ms. */
export function pauseAfter({ last, times, knownForMs }: CallHistory): number {
  switch (last.end) {
    case 'talked': {
      if (last.againSeconds === undefined) return SHORTEST_WISH_MS;
      const shortestMs = knownForMs < BOOT_MS ? SHORTEST_WISH_OF_BOOT_MS : SHORTEST_WISH_MS;
      return Math.min(Math.max(last.againSeconds * 1000, shortestMs), LONGEST_WISH_MS);
    }
    case 'hung-up':
      return BUSY_PAUSE_MS;
    // Others wait for what such a machine takes: a hostile one gets a smaller part of it each time.
    case 'unproven':
      return Math.min(SHORTEST_WISH_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
    case 'refused':
    case 'silent':
      if (knownForMs < BOOT_MS) return BOOT_PAUSE_MS;
      return Math.min(BOOT_PAUSE_MS * 2 ** times, LONGEST_PAUSE_MS);
  }
}
