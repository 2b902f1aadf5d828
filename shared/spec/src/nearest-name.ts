/** The known name that a mistyped one most likely meant, or undefined when none is near. */
export function nearestName(mistyped: string, known: readonly string[]): string | undefined {
  const wanted = mistyped.toLowerCase();
  const allowed = Math.max(1, Math.floor(mistyped.length / 3));
  let nearest: string | undefined;
  let nearestDistance = allowed + 1;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase(), nearestDistance);
    if (distance < nearestDistance) [nearest, nearestDistance] = [name, distance];
  }
  return nearest;
}

/** Levenshtein distance, given up (as `limit`) once it cannot be below `limit`. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) >= limit) return limit;
    previous = current;
  }
  return previous[right.length] ?? limit;
}
