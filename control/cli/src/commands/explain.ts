import { actionContext } from '../context.ts';
import type { ExplainOptions } from '../flags/explain-options.ts';
import { type ExplainSubject, explainSubject, type ExplainWords, type StoredSubject } from '../explain-subject.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { usageError } from '../flags/usage-error.ts';

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
  if (subject.name === undefined) return explainField(subject, { output, apiVersion });
  if (apiVersion !== 'v1alpha2') {
    throw usageError({
      what: `explain ${subject.kind} ${subject.name} in ${apiVersion}`,
      why: 'origins of values are kept by the names of v1alpha2',
      next: 'leave --api-version out, or leave the name out to explain the fields themselves',
    });
  }
  return explainStored(global, subject, output, env);
}

/** Without a path, that of the spec. No store is read. */
async function explainField(
  { kind, path = 'spec' }: ExplainSubject,
  { output, apiVersion }: ExplainOptions,
): Promise<number> {
  const [{ defaultValues }, { walkField }, { printField }] = await Promise.all([
    import('@kopsctl/actions/default-values.ts'),
    import('@kopsctl/spec/describe/walk-fields.ts'),
    import('../output/print-field.ts'),
  ]);
  await printField(kind, walkField(kind, path, { version: apiVersion, defaults: defaultValues(kind) }), output);
  return 0;
}

async function explainStored(
  global: GlobalOptions,
  { kind, name, path = 'spec' }: StoredSubject,
  output: ExplainOptions['output'],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const [{ explainValue }, { printOrigins }] = await Promise.all([
    import('@kopsctl/actions/explain-value.ts'),
    import('../output/print-origins.ts'),
  ]);
  await printOrigins(kind, await explainValue(actionContext(global, env), { kind, name, path }), output);
  return 0;
}
