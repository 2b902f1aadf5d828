import { parseTsigKey } from '@kopsctl/dns/rfc2136/tsig-key.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { readCluster } from './store/cluster-store.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { readInput } from './files/read-input.ts';
import { type SecretKind, storeSecret } from './keys/secrets.ts';

export interface CreateSecretRequest {
  readonly kind: SecretKind;
  readonly file: string;
  /** One that is there is replaced. */
  readonly force: boolean;
}

/** Stores a secret that a person brings. Nothing of it is ever told. */
export async function createSecret(
  context: ActionContext,
  { kind, file, force }: CreateSecretRequest,
): Promise<{ readonly cluster: string; readonly outcome: 'created' | 'replaced' | 'unchanged' }> {
  const data = await inPhase(context, 'read the secret', () => readSecret(kind, file));
  const { store, cluster } = await chooseCluster(context, undefined);
  await readCluster(store, cluster);
  return { cluster, outcome: await storeSecret(store, cluster, { kind, data, force }) };
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
