import { getSecrets as get } from '@kopsctl/actions/get-keys.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputFormat } from '../flags/output-options.ts';
import { printed } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';
import { usageError } from '../flags/usage-error.ts';

export interface GetSecretsOptions {
  readonly output: OutputFormat | 'plaintext';
}

/** Prints what a cluster keeps in secret by name; one secret itself only where that is asked for. */
export async function getSecrets(
  global: GlobalOptions,
  names: readonly string[],
  { output }: GetSecretsOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env);
  if (output === 'plaintext') {
    const [name] = names;
    if (name === undefined || names.length > 1) {
      throw usageError({
        what: 'print a secret',
        why: `-o plaintext prints exactly one, and ${names.length} are named`,
        next: 'name one: `kopsctl get secrets NAME -o plaintext`',
      });
    }
    const { revealSecret } = await import('@kopsctl/actions/reveal-secret.ts');
    writeDocument(`${await revealSecret(context, name)}\n`);
    return 0;
  }
  const found = await get(context, names);
  if (output !== 'table') {
    writeDocument(
      await printed(
        found.map((name) => ({ name })),
        output,
      ),
    );
  } else {
    writeOut(
      table(
        ['NAME'],
        found.map((name) => [name]),
      ),
    );
  }
  return 0;
}
