interface Asked<Answer> {
  readonly atMs: number;
  readonly answer: Promise<Answer>;
}

/**
 * Asks once for all callers that want to know the same within a while: machines of a group boot together, and get to know the
 * same. An error goes only to the callers that waited for it.
 *
 * @param whileMs how old an answer may be
 */
export function sharedAnswers<Answer>(
  ask: (about: string) => Promise<Answer>,
  whileMs: number,
  nowMs: () => number,
): (about: string) => Promise<Answer> {
  const asked = new Map<string, Asked<Answer>>();
  return (about) => {
    const now = nowMs();
    for (const [other, { atMs }] of asked) if (now - atMs > whileMs) asked.delete(other);
    const known = asked.get(about);
    if (known !== undefined) return known.answer;
    const answer = ask(about);
    asked.set(about, { atMs: now, answer });
    answer.catch(() => asked.delete(about));
    return answer;
  };
}
