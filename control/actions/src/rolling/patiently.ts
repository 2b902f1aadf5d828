import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Turn } from './roll.ts';
import type { Seen } from './seen.ts';

interface Looking {
  readonly observe: (signal: AbortSignal, turns: readonly Turn[]) => Promise<Seen>;
  readonly nowMs: () => number;
  readonly say: (line: string) => void;
}

/** Looks at the world; undefined where that fails now. @throws once it has failed for too long */
export function patiently({ observe, nowMs, say }: Looking, patienceMs: number) {
  let failing: { readonly sinceMs: number; readonly why: string } | undefined;
  return async (signal: AbortSignal, turns: readonly Turn[]): Promise<Seen | undefined> => {
    try {
      const seen = await observe(signal, turns);
      failing = undefined;
      return seen;
    } catch (error) {
      signal.throwIfAborted();
      const why = messageOf(error);
      const sinceMs = failing?.sinceMs ?? nowMs();
      if (nowMs() - sinceMs >= patienceMs) throw error;
      if (failing?.why !== why) say(`trying again: ${why}`);
      failing = { sinceMs, why };
      return undefined;
    }
  };
}
