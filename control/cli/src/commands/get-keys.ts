import { getSecrets, getSshPublicKeys } from '@kopsctl/actions/get-keys.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printed } from '../print-objects.ts';
import { table } from '../table.ts';
import { writeDocument, writeOut } from '../terminal.ts';

type Kind = 'secrets' | 'sshpublickeys';

/** Prints what a cluster keeps in secret by name, and never the secret itself. */
export async function getKeys(
  global: GlobalOptions,
  kind: Kind,
  { output }: { readonly output: 'table' | 'yaml' | 'json' },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const listed = await list(actionContext(global, env), kind);
  if (output === 'table') writeOut(table(listed.header, listed.rows));
  else writeDocument(await printed(listed.objects, output));
  return 0;
}

interface Listed {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly objects: readonly object[];
}

async function list(context: ActionContext, kind: Kind): Promise<Listed> {
  switch (kind) {
    case 'secrets': {
      const names = await getSecrets(context);
      return { header: ['NAME'], rows: names.map((name) => [name]), objects: names.map((name) => ({ name })) };
    }
    case 'sshpublickeys': {
      const keys = await getSshPublicKeys(context);
      return { header: ['ID', 'KEY'], rows: keys.map(({ id, publicKey }) => [id, publicKey]), objects: keys };
    }
  }
}
