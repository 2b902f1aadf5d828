import { explainSubject, type ExplainWords } from '../explain-subject.ts';
import type { GlobalOptions } from '../global-options.ts';

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
  const { explainStored } = await import('./explain-stored.ts');
  return explainStored(global, subject, output, env);
}
