import { explainValue } from '@kopsctl/actions/explain-value.ts';
import { describeField } from '@kopsctl/spec/describe/describe-field.ts';
import { actionContext } from '../context.ts';
import { explainSubject, type ExplainWords } from '../explain-subject.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeDocument, writeOut } from '../terminal.ts';

export interface ExplainRequest extends ExplainWords {
  readonly output: 'text' | 'json';
}

/**
 * Says of a field what it is for, and of a stored object where its values came from: of a value, or of all values below
 * a path.
 */
export async function explain(
  global: GlobalOptions,
  { output, ...words }: ExplainRequest,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const subject = explainSubject(words);
  if (subject.name === undefined) {
    const { explainField } = await import('./explain-field.ts');
    return explainField(subject.kind, subject.path, output);
  }
  const { kind, name, path } = subject;
  const all = await explainValue(actionContext(global, env), { kind, name, path: path ?? 'spec' });
  const explained = all.map((one) => ({ ...one, text: describeField(kind, namesIn(one.path)) }));
  if (output === 'json') {
    writeDocument(`${JSON.stringify(explained, null, 2)}\n`);
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
