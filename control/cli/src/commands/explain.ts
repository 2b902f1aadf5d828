import { explainValue } from '@kopsctl/actions/explain-value.ts';
import type { OwnKind } from '@kopsctl/actions/store/object-paths.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeOut } from '../terminal.ts';

/** Says where a value of the completed spec came from; of an object, where all that is in it came from. */
export async function explain(
  global: GlobalOptions,
  kind: string,
  name: string,
  path: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  for (const explained of await explainValue(actionContext(global, env), { kind: kindOf(kind), name, path })) {
    const value = explained.value === undefined ? '' : ` = ${JSON.stringify(explained.value)}`;
    writeOut(`${explained.path}${value}\n  ${explained.origin}\n`);
  }
  return 0;
}

function kindOf(word: string): OwnKind {
  if (/^clusters?$/.test(word)) return 'Cluster';
  if (/^(instancegroups?|ig)$/.test(word)) return 'InstanceGroup';
  throw new ActionableError({
    what: `explain ${word}`,
    why: 'only a cluster, an instance group or a node can be explained',
    next: 'kopsctl explain cluster NAME spec.path, or kopsctl explain instancegroup NAME spec.path --name CLUSTER',
  });
}
