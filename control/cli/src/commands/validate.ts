import { parseDuration } from '../duration.ts';
import { validateCluster } from '@kopsctl/actions/validate-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeDocument, writeOut } from '../terminal.ts';

/** Says what is wrong with a running cluster. Exits with 2 on failures, as kops does. */
export async function validate(
  global: GlobalOptions,
  name: string | undefined,
  { wait, output }: { readonly wait?: string; readonly output: 'table' | 'json' },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const waitMs = wait === undefined ? 0 : parseDuration(wait, '--wait');
  const context = actionContext(global, env, {
    tells: wait === undefined ? 'nothing' : 'everything',
    endsInOrder: true,
  });
  const { cluster, failures } = await validateCluster(context, { cluster: name, waitMs });
  if (output === 'json') {
    writeDocument(`${JSON.stringify({ cluster, valid: failures.length === 0, failures }, null, 2)}\n`);
  } else if (failures.length === 0) {
    writeOut(`Your cluster ${cluster} is ready\n`);
  } else {
    for (const { kind, name: what, message } of failures) writeOut(`${kind}\t${what}\t${message}\n`);
  }
  return failures.length === 0 ? 0 : 2;
}
