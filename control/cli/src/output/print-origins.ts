import { describeField } from '@kopsctl/spec/describe/describe-field.ts';
import type { Explained } from '@kopsctl/spec/explain.ts';
import type { Kind } from '@kopsctl/spec/kinds.ts';
import type { ExplainOptions } from '../flags/explain-options.ts';
import { printedValue } from './print-objects.ts';
import { writeDocument, writeOut } from './terminal.ts';

/** Prints where the values of a stored object came from, and what their fields are for. */
export async function printOrigins(
  kind: Kind,
  all: readonly Explained[],
  output: ExplainOptions['output'],
): Promise<void> {
  const explained = all.map((one) => ({ ...one, text: describeField(kind, namesIn(one.path)) }));
  if (output !== 'text') {
    writeDocument(await printedValue(explained, output));
    return;
  }
  for (const { path: at, value, origin, text } of explained) {
    const shown = value === undefined ? '' : ` = ${JSON.stringify(value)}`;
    writeOut(`${at}${shown}\n  ${origin}\n${text === undefined ? '' : `  ${text}\n`}`);
  }
}

const namesIn = (path: string): readonly string[] =>
  path.split(/[.[\]"]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
