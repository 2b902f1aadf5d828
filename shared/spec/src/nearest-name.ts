import { closestMatch } from 'leven';

/** The known name that a mistyped one most likely meant, or undefined when none is near. */
export function nearestName(mistyped: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.max(1, Math.floor(mistyped.length / 3));
  const inLowerCase = known.map((name) => name.toLowerCase());
  const nearest = closestMatch(mistyped.toLowerCase(), inLowerCase, { maxDistance });
  return nearest === undefined ? undefined : known[inLowerCase.indexOf(nearest)];
}
