/** When a machine was replaced. */
export interface Replacement {
  readonly startMs: number;
  readonly endMs: number;
}

/** The longest chain of replacements of which each began after the one before it had ended. Pure. */
export function rounds(replacements: readonly Replacement[]): number {
  const inOrder = replacements.toSorted((a, b) => a.startMs - b.startMs);
  const depths: number[] = [];
  for (const [index, { startMs }] of inOrder.entries()) {
    const before = inOrder.slice(0, index).map((one, earlier) => (one.endMs <= startMs ? (depths[earlier] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}
