import { closestMatch } from 'leven';

/** The known name that is closest to a mistyped one. Undefined if none is close. */
export function nearestName(mistyped: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.max(1, Math.floor(mistyped.length / 3));
  const inLowerCase = known.map((name) => name.toLowerCase());
  const nearest = closestMatch(mistyped.toLowerCase(), inLowerCase, { maxDistance });
  return nearest === undefined ? undefined : known[inLowerCase.indexOf(nearest)];
}
