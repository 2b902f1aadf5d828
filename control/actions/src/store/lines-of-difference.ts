/** With more lines than these, the two texts themselves are easier to read. */
const MAX_LINES = 20;

/** The lines that one text has and the other does not, as diff shows them: `  - theirs before`, `  + theirs now`. */
export function linesOfDifference(before: string, after: string): string {
  const [old, young] = [before.split('\n'), after.split('\n')];
  const [inOld, inNew] = [new Set(old), new Set(young)];
  const lines = [
    ...old.filter((line) => !inNew.has(line)).map((line) => `  - ${line}`),
    ...young.filter((line) => !inOld.has(line)).map((line) => `  + ${line}`),
  ];
  if (lines.length === 0) return '  only the order of its lines';
  const more = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`  and ${more} more lines`] : [])].join('\n');
}
