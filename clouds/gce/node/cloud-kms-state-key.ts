import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import type { SealedObject, StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import type { CloudKms } from './cloud-kms.ts';

/** A key of Cloud KMS. The roles decide who seals and who opens; what it wraps is bound to the cluster and to the object. */
export function cloudKmsStateKey(name: string, kms: CloudKms): StateKey {
  const never = new AbortController().signal;
  return {
    name,
    wrap: (dataKey, object, signal = never) =>
      kms.encrypt(dataKey, boundTo(object), signal).catch((thrown: unknown) => {
        throw explained(`seal ${object.path} with ${name}`, 'roles/cloudkms.cryptoKeyEncrypter', thrown);
      }),
    unwrap: (wrapped, object, signal = never) =>
      kms.decrypt(wrapped, boundTo(object), signal).catch((thrown: unknown) => {
        throw explained(
          `open the data key of ${object.path} with ${name}`,
          'roles/cloudkms.cryptoKeyDecrypter',
          thrown,
        );
      }),
  };
}

const boundTo = ({ cluster, path }: SealedObject): Uint8Array =>
  Buffer.from(JSON.stringify({ KubernetesCluster: cluster, KopsObject: path }));

function explained(what: string, role: string, thrown: unknown): unknown {
  if (!(thrown instanceof GoogleRefusal)) return thrown;
  // Cloud KMS API: INVALID_ARGUMENT for other bytes or other bound data, FAILED_PRECONDITION for a version that is disabled.
  const isMoved = thrown.status === 400 && /decryption failed|ciphertext/i.test(thrown.said);
  return new ActionableError({
    what,
    why: isMoved
      ? `it was changed, or sealed for another path, cluster or key (${thrown.said})`
      : `Google answered ${thrown.status}: ${thrown.said || messageOf(thrown)}`,
    next: isMoved
      ? 'restore its last good version (if the bucket has versioning), or a copy of the store'
      : `check that the key and its versions exist and are enabled, and that you, or the machine's service account, have ${role} of it`,
    cause: thrown,
  });
}
