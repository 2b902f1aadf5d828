import { deleteSecret, storeSecret, type SecretKind } from '@kopsctl/apply/secrets.ts';
import { readCluster } from '@kopsctl/apply/cluster-store.ts';
import { readInput } from '@kopsctl/apply/read-input.ts';
import { parseTsigKey } from '@kopsctl/dns/rfc2136/tsig-key.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Stores a secret that a person brings. Nothing of it is ever printed. */
export async function createSecret(
  global: GlobalOptions,
  kind: SecretKind,
  options: { readonly filename: string; readonly force?: boolean },
): Promise<number> {
  const data = await readSecret(kind, options.filename);
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  await readCluster(store, cluster);
  const outcome = await storeSecret(store, cluster, { kind, data, force: options.force ?? false });
  process.stdout.write(`secret/${kind} of ${cluster}: ${outcome}\n`);
  return 0;
}

async function readSecret(kind: SecretKind, file: string): Promise<Uint8Array> {
  try {
    const data = await readInput(file);
    if (kind === 'dockerconfig') JSON.parse(data.toString('utf8'));
    if (kind === 'dns-update-key') parseTsigKey(data.toString('utf8'));
    if (data.length === 0) throw new Error('it is empty');
    return data;
  } catch (error) {
    // What JSON.parse quotes of the text would show a part of the secret.
    const why = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new ActionableError({
      what: `read the secret ${kind} from ${file}`,
      why,
      next: kind === 'dockerconfig' ? 'name a file such as ~/.docker/config.json' : 'check the file',
    });
  }
}

export async function removeSecret(
  global: GlobalOptions,
  name: string,
  options: { readonly yes?: boolean },
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  if (options.yes !== true) {
    process.stdout.write(`Would delete secret/${name} of ${cluster}. Add --yes to delete it.\n`);
    return 0;
  }
  await deleteSecret(store, cluster, name);
  process.stdout.write(`Deleted secret/${name} of ${cluster}\n`);
  return 0;
}
