/** Objects as one text. JSON is a list, as kops prints it; the YAML printer is loaded only where it is asked for. */
export async function printed(objects: readonly object[], format: 'yaml' | 'json'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(objects, null, 2)}\n`;
  const { printObject } = await import('@kopsctl/spec/print.ts');
  return objects.map((object) => printObject(object)).join('---\n');
}
