import type { SecretKind } from '@kopsctl/actions/keys/secrets.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeResult } from '../output/terminal.ts';
import { usageError } from '../flags/usage-error.ts';

/** Stores a secret that a person brings. Nothing of it is ever printed. */
export async function createSecret(
  global: GlobalOptions,
  kind: SecretKind,
  { filename: file, force = false }: { readonly filename: string; readonly force?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { createSecret: create } = await import('@kopsctl/actions/create-secret.ts');
  const { cluster, outcome } = await create(actionContext(global, env), { kind, file, force });
  writeResult({
    message: `secret/${kind} of ${cluster}: ${outcome}`,
    details: { object: `secret/${kind}`, cluster, outcome },
  });
  return 0;
}

/** Deletes a secret at once: kops asks for no confirmation either. */
export async function deleteSecret(
  global: GlobalOptions,
  name: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (name === undefined) {
    throw usageError({
      what: 'delete a secret',
      why: 'none is named',
      next: '`kopsctl get secrets` lists the names',
    });
  }
  const { deleteSecret: remove } = await import('@kopsctl/actions/delete-secret.ts');
  const cluster = await remove(actionContext(global, env), { name });
  writeResult({
    message: `Deleted secret/${name} of ${cluster}`,
    details: { object: `secret/${name}`, cluster, outcome: 'deleted' },
  });
  return 0;
}
