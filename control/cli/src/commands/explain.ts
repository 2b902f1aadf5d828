import { explainValue } from '@kopsctl/actions/explain-value.ts';
import type { OwnKind } from '@kopsctl/actions/store/object-paths.ts';
import { describeField } from '@kopsctl/spec/describe/describe-field.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { usageError } from '../usage-error.ts';
import { writeDocument, writeOut } from '../terminal.ts';

export interface ExplainRequest {
  readonly kind: string;
  /** Of an object in the state store; or a path, where no object is named. */
  readonly name: string | undefined;
  readonly path: string | undefined;
  readonly output: 'text' | 'json';
}

/**
 * Says of a field what it is for, and of a stored object where its values came from: of a value, or of all values below
 * a path.
 */
export async function explain(
  global: GlobalOptions,
  { kind: word, name, path, output }: ExplainRequest,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const kind = kindOf(word);
  if (name === undefined || (path === undefined && isPath(name))) {
    const { explainField } = await import('./explain-field.ts');
    return explainField(kind, name, output);
  }
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

/** Names of objects never begin like this. */
const isPath = (word: string): boolean => /^(spec|metadata)\b/.test(word);

const namesIn = (path: string): readonly string[] =>
  path.split(/[.[\]"]+/).filter((part) => part !== '' && !/^\d+$/.test(part));

function kindOf(word: string): OwnKind {
  if (/^clusters?$/i.test(word)) return 'Cluster';
  if (/^(instancegroups?|ig)$/i.test(word)) return 'InstanceGroup';
  throw usageError({
    what: `explain ${word}`,
    why: 'only a cluster, an instance group or a node can be explained',
    next: 'kopsctl explain cluster [NAME] [spec.path], or kopsctl explain instancegroup [NAME] [spec.path] --name CLUSTER',
  });
}
