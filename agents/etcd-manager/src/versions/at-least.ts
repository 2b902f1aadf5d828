/** Whether a version such as `3.5.16` is this one or a newer one. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, want] = [version, least].map((text) => text.replace(/^v/, '').split(/[.-]/).slice(0, 3).map(Number));
  for (const [index, number] of (want ?? []).entries()) {
    const found = have?.[index] ?? 0;
    if (found !== number) return found > number;
  }
  return true;
}
