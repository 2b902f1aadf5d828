import type { DescribedField, WalkedField } from '@kopsctl/spec/describe/walk-fields.ts';
import type { Kind } from '@kopsctl/spec/kinds.ts';
import type { ExplainOptions } from '../flags/explain-options.ts';
import { printedValue } from './print-objects.ts';
import { table } from './table.ts';
import { writeDocument, writeOut } from './terminal.ts';

/** Prints what a field of a kind is for, and which fields are below it. */
export async function printField(kind: Kind, walked: WalkedField, output: ExplainOptions['output']): Promise<void> {
  if (output !== 'text') {
    writeDocument(await printedValue({ kind, ...walked }, output));
    return;
  }
  const { fields, words, text } = walked;
  writeOut(`${kind} ${walked.path}  <${walked.type}>\n`);
  if (text !== undefined) writeOut(`  ${text}\n`);
  if (words !== undefined) writeOut(`  One of ${words.join(', ')}.\n`);
  if (walked.default !== undefined) writeOut(`  By default ${JSON.stringify(walked.default)}.\n`);
  if (fields.length > 0) writeOut(`\n${table(['FIELD', 'TYPE', 'WHAT IT IS'], fields.map(row))}`);
}

const row = ({ path, type, text = '' }: DescribedField): readonly string[] => [
  path.slice(path.lastIndexOf('.') + 1),
  type,
  text,
];
