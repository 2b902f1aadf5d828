import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { SealedObject, StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { type EncryptionContext, type Kms, KmsRefusal, openKms } from './kms.ts';
import type { Keys } from './credentials.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The names under which a policy can ask what an envelope is bound to. */
export const CLUSTER_CONTEXT = 'KubernetesCluster';
export const OBJECT_CONTEXT = 'KopsObject';

export interface KmsAccess {
  readonly env: Env;
  readonly credentials: (signal: AbortSignal | undefined) => Promise<Keys>;
}

/** Opens the key that an ARN names, in its own region. */
export function openKmsStateKey(arn: string, { env, credentials }: KmsAccess): StateKey {
  const [, partition, , region = ''] = arn.split(':');
  const domain = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  const named = env['AWS_ENDPOINT_URL_KMS'] || env['AWS_ENDPOINT_URL'];
  // Requests are signed for the path /.
  const endpoint = named ? new URL('/', named).href : `https://kms.${region}.${domain}/`;
  return kmsStateKey(arn, openKms({ key: arn, region, endpoint, credentials, nowMs: () => Date.now() }));
}

/** A key of KMS. The rights to it decide who seals and who opens; what it wraps is bound to the cluster and to the object. */
export function kmsStateKey(arn: string, kms: Kms): StateKey {
  return {
    name: arn,
    wrap: (dataKey, object, signal) =>
      kms.encrypt(dataKey, contextOf(object), signal).catch((thrown: unknown) => {
        throw explained(`seal ${object.path} with ${arn}`, 'kms:Encrypt', thrown);
      }),
    unwrap: (wrapped, object, signal) =>
      kms.decrypt(wrapped, contextOf(object), signal).catch((thrown: unknown) => {
        throw explained(`open the data key of ${object.path} with ${arn}`, 'kms:Decrypt', thrown);
      }),
  };
}

const contextOf = ({ cluster, path }: SealedObject): EncryptionContext => ({
  [CLUSTER_CONTEXT]: cluster,
  [OBJECT_CONTEXT]: path,
});

function explained(what: string, right: string, thrown: unknown): unknown {
  if (!(thrown instanceof KmsRefusal)) return thrown;
  const isMoved = thrown.code === 'InvalidCiphertextException' || thrown.code === 'IncorrectKeyException';
  return new ActionableError({
    what,
    why: isMoved ? `it was changed, or sealed for another path, cluster or key (${thrown.code})` : messageOf(thrown),
    next: isMoved
      ? 'restore its last good version (if the bucket has versioning), or a copy of the store'
      : `check that the key exists and is enabled, and that its policy and yours allow ${right}`,
    cause: thrown,
  });
}
