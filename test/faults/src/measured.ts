/** Prints how long something took: figures of docs/performance.md come from here. */
export function measured(what: string, sinceMs: number): void {
  console.log(`measured: ${what}: ${((performance.now() - sinceMs) / 1000).toFixed(1)} s`);
}
