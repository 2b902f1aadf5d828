import { type DescribedField, walkField } from '@kopsctl/spec/describe/walk-fields.ts';
import type { Kind } from '@kopsctl/spec/kinds.ts';
import { printedValue } from '../print-objects.ts';
import { table } from '../table.ts';
import { writeDocument, writeOut } from '../terminal.ts';
import type { ExplainOptions } from '../explain-options.ts';

/** Says what a field of a kind is for, and which fields are below it; without a path, those of the spec. No store is read. */
export async function explainField(
  kind: Kind,
  path: string | undefined,
  { output, apiVersion }: ExplainOptions,
): Promise<number> {
  const { defaultValues } = await import('@kopsctl/actions/default-values.ts');
  const walked = walkField(kind, path ?? 'spec', { version: apiVersion, defaults: defaultValues(kind) });
  if (output !== 'text') {
    writeDocument(await printedValue({ kind, ...walked }, output));
    return 0;
  }
  const { fields, words, text } = walked;
  writeOut(`${kind} ${walked.path}  <${walked.type}>\n`);
  if (text !== undefined) writeOut(`  ${text}\n`);
  if (words !== undefined) writeOut(`  One of ${words.join(', ')}.\n`);
  if (walked.default !== undefined) writeOut(`  By default ${JSON.stringify(walked.default)}.\n`);
  if (fields.length > 0) writeOut(`\n${table(['FIELD', 'TYPE', 'WHAT IT IS'], fields.map(row))}`);
  return 0;
}

const row = ({ path, type, text = '' }: DescribedField): readonly string[] => [
  path.slice(path.lastIndexOf('.') + 1),
  type,
  text,
];
