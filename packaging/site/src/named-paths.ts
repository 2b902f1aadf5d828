/** How paths of the repository begin. The state store has a folder `control` as well (docs/state-store.md). */
const IN_REPOSITORY = /^(agents|clouds|control\/(actions|cli|model)|docs|examples|packaging|shared|test)\//;

/**
 * The paths of this repository that a document names in backticks, each as a pattern: `<cloud>` stands for any name. What
 * is in a block of code is not read. Pure.
 *
 * @param base where the paths of a folder with parts for control and for nodes are, if the document has such
 */
export function namedPaths(document: string, base?: string): readonly string[] {
  const prose = document.replaceAll(/^```.*?^```/gms, '');
  const named = [...prose.matchAll(/`([^\s`]+\/[^\s`]*)`/g)].flatMap(([, text = '']) => {
    if (IN_REPOSITORY.test(text)) return [text];
    return base !== undefined && /^(control|node)\//.test(text) ? [`${base}/${text}`] : [];
  });
  return [...new Set(named)].map((text) => text.replaceAll(/<[a-z]+>/g, '*'));
}
