import { explainValue } from '@kopsctl/actions/explain-value.ts';
import { describeField } from '@kopsctl/spec/describe/describe-field.ts';
import { actionContext } from '../context.ts';
import type { StoredSubject } from '../explain-subject.ts';
import type { ExplainOptions } from '../explain-options.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printedValue } from '../print-objects.ts';
import { writeDocument, writeOut } from '../terminal.ts';

/** Says where the values of a stored object came from, and what their fields are for. */
export async function explainStored(
  global: GlobalOptions,
  { kind, name, path = 'spec' }: StoredSubject,
  output: ExplainOptions['output'],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const all = await explainValue(actionContext(global, env), { kind, name, path });
  const explained = all.map((one) => ({ ...one, text: describeField(kind, namesIn(one.path)) }));
  if (output !== 'text') {
    writeDocument(await printedValue(explained, output));
    return 0;
  }
  for (const { path: at, value, origin, text } of explained) {
    const shown = value === undefined ? '' : ` = ${JSON.stringify(value)}`;
    writeOut(`${at}${shown}\n  ${origin}\n${text === undefined ? '' : `  ${text}\n`}`);
  }
  return 0;
}

const namesIn = (path: string): readonly string[] =>
  path.split(/[.[\]"]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
