import type { ExplainOptions } from '../explain-options.ts';
import { explainSubject, type ExplainWords } from '../explain-subject.ts';
import type { GlobalOptions } from '../global-options.ts';
import { usageError } from '../usage-error.ts';

/**
 * Says of a field what it is for, and of a stored object where its values came from: of a value, or of all values below
 * a path.
 */
export async function explain(
  global: GlobalOptions,
  words: ExplainWords,
  { output, apiVersion }: ExplainOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const subject = explainSubject(words);
  if (subject.name === undefined) {
    const { explainField } = await import('./explain-field.ts');
    return explainField(subject.kind, subject.path, { output, apiVersion });
  }
  if (apiVersion !== 'v1alpha2') {
    throw usageError({
      what: `explain ${subject.kind} ${subject.name} in ${apiVersion}`,
      why: 'origins of values are kept by the names of v1alpha2',
      next: 'leave --api-version out, or leave the name out to explain the fields themselves',
    });
  }
  const { explainStored } = await import('./explain-stored.ts');
  return explainStored(global, subject, output, env);
}
