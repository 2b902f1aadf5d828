import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { readCluster } from './store/cluster-store.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { readInput } from './files/read-input.ts';
import { faultOfSecret } from './keys/check-secret.ts';
import { type SecretKind, storeSecret } from './keys/secrets.ts';

export interface CreateSecretRequest {
  readonly kind: SecretKind;
  readonly file: string;
  /** An existing secret is replaced. */
  readonly force: boolean;
}

/** Stores a secret that a person brings. Nothing of it is ever told. */
export async function createSecret(
  context: ActionContext,
  { kind, file, force }: CreateSecretRequest,
): Promise<{ readonly cluster: string; readonly outcome: 'created' | 'replaced' | 'unchanged' }> {
  const data = await inPhase(context, 'read the secret', () => readSecret(kind, file, context.env));
  const { store, cluster } = await chooseCluster(context, undefined);
  await readCluster(store, cluster);
  const outcome = await inPhase(context, 'store the secret', () => storeSecret(store, cluster, { kind, data, force }));
  return { cluster, outcome };
}

const EXAMPLES: Readonly<Partial<Record<SecretKind, string>>> = {
  ciliumpassword: 'write, as in docs/secrets.md: keys: 3+ rfc4106(gcm(aes)) HEX 128',
  dockerconfig: 'name a file such as ~/.docker/config.json',
  'etcd-backup-key': 'make one: openssl rand -hex 32 | kopsctl create secret etcd-backup-key -f -',
  encryptionconfig: 'see kubernetes.io, "Encrypting Confidential Data at Rest"',
};

async function readSecret(kind: SecretKind, file: string, env: NodeJS.ProcessEnv): Promise<Uint8Array> {
  const data = await readInput(file, env);
  const fault = faultOfSecret(kind, data);
  if (fault === undefined) return data;
  throw new ActionableError({
    what: `read the secret ${kind} from ${file}`,
    why: fault,
    next: EXAMPLES[kind] ?? 'check the file',
    isUsage: true,
  });
}
