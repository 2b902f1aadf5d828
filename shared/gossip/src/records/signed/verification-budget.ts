/** How often records may be verified, on average and at once. */
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Enough for the records of fifty control planes in one state, and for all renewals afterwards. */
const OF_SOURCE: Rate = { perSecond: 20, burst: 200 };
/** A verification takes up to 0.2 ms, so a flood takes 4 % of a processor. */
const OF_ALL: Rate = { perSecond: 200, burst: 1000 };
/** Sources that have used some of their share. */
const MAX_SOURCES = 4096;

/** Limits the work that false signatures cause, for each source and for all. */
export class VerificationBudget {
  readonly #all = new Bucket(OF_ALL);
  /** The one used last comes last. */
  readonly #sources = new Map<string, Bucket>();

  /** Takes one verification; false where the source, or all of them together, have used up their share. */
  take(source: string, nowMs: number): boolean {
    const bucket = this.#sources.get(source) ?? new Bucket(OF_SOURCE);
    this.#sources.delete(source);
    this.#sources.set(source, bucket);
    for (const oldest of this.#sources.keys()) {
      if (this.#sources.size <= MAX_SOURCES) break;
      this.#sources.delete(oldest);
    }
    if (bucket.left(nowMs) < 1 || this.#all.left(nowMs) < 1) return false;
    bucket.take();
    this.#all.take();
    return true;
  }
}

class Bucket {
  readonly #rate: Rate;
  #left: number;
  #atMs = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#left = rate.burst;
  }

  left(nowMs: number): number {
    // The machine's clock may have been set back.
    const passedSeconds = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#atMs = nowMs;
    return (this.#left = Math.min(this.#rate.burst, this.#left + passedSeconds * this.#rate.perSecond));
  }

  take(): void {
    this.#left -= 1;
  }
}
