import type { Finding } from './evidence.ts';
import { type KnownCause, causeOf, reveals } from './known-causes.ts';

/** This many lines show a cause; more of the same show nothing more. */
export const MAX_LINES = 3;

/** A finding whose cause its texts may reveal: then it names the cause, the texts that show it, and what to do about it. */
export function because(what: string, texts: readonly string[], otherwise: string): Finding {
  const [first] = texts;
  const cause = first === undefined ? undefined : (causeOf(first) ?? firstCause(texts));
  if (cause === undefined) return { what, because: first === undefined ? [] : [first], next: otherwise };
  const showing = [...new Set(texts)].filter((text) => reveals(text, cause));
  return { what: `${what}: ${cause.what}`, because: showing.slice(-MAX_LINES), next: cause.next };
}

/** The newest line that reveals something: earlier ones may be about what has been fixed since. */
const firstCause = (texts: readonly string[]): KnownCause | undefined =>
  texts.toReversed().flatMap((text) => causeOf(text) ?? [])[0];
