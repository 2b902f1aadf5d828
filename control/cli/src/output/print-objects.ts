/**
 * Objects as one text. JSON is a list with sorted keys, or the object itself where one was asked for by name. YAML is a
 * document for each, and an empty list where there is none; its printer is loaded only where it is asked for.
 */
export async function printed(
  objects: readonly object[],
  format: 'yaml' | 'json',
  { single = false }: { readonly single?: boolean } = {},
): Promise<string> {
  if (format === 'json') {
    const { sortedJson } = await import('@kopsctl/tasks/sorted-json.ts');
    const [only] = objects;
    return `${sortedJson(single && only !== undefined ? only : objects, 2)}\n`;
  }
  if (objects.length === 0) return '[]\n';
  const { printObject } = await import('@kopsctl/spec/print.ts');
  return objects.map((object) => printObject(object)).join('---\n');
}

/** One value as one text, which is the same in both formats: a list is a list in YAML too, and an empty one is `[]`. */
export const printedValue = async (value: object, format: 'yaml' | 'json'): Promise<string> =>
  printed([value], format, { single: true });
