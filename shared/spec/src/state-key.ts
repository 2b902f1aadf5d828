import type { Cluster } from './cluster.ts';
import { STATE_KEY_ANNOTATION } from './own-annotations.ts';

/** Whose keys they are: of age (age-encryption.org), of AWS's Key Management Service, or of Google's. */
export type StateKeyKind = 'age' | 'aws-kms' | 'cloud-kms';

/**
 * What the annotation says about keysets and secrets in the state store:
 *
 *   age1…,age1…          sealed for several people, each of whom opens them;
 *   arn:aws:kms:…,arn:…  sealed with the first key; machines may open with each, so that keys can be changed;
 *   projects/…,projects/…  the same with keys of Google's Cloud KMS;
 *   none                 written in the clear again; keys behind it are those that machines may still open with.
 */
export interface StateKeySetting {
  /** Undefined where it names no key. */
  readonly kind: StateKeyKind | undefined;
  /** The key that objects are sealed with, as envelopes name it. Undefined: they are written in the clear. */
  readonly sealsWith: string | undefined;
  /** Keys of a KMS that machines may open with. */
  readonly opensWith: readonly string[];
}

const NONE = 'none';

/** Bech32 of 32 bytes. Whether the checksum is right is found out when something is sealed. */
const AGE = /^age1[02-9ac-hj-np-z]{58}$/;
/** The ARN of a key, not of an alias: a policy cannot name those. */
const AWS_KMS = /^arn:(aws|aws-cn|aws-us-gov):kms:([a-z0-9-]+):\d{12}:key\/[A-Za-z0-9-]+$/;
/** The name of a key, not of a version of it: Google seals with the primary version and opens with each. */
const CLOUD_KMS =
  /^projects\/([a-z0-9.-]+:)?[a-z0-9-]+\/locations\/[a-z0-9-]+\/keyRings\/[\w-]{1,63}\/cryptoKeys\/[\w-]{1,63}$/;

export const isAgeKey = (name: string): boolean => name.split(',').every((one) => AGE.test(one));
export const isAwsKmsKey = (name: string): boolean => AWS_KMS.test(name);
export const isCloudKmsKey = (name: string): boolean => CLOUD_KMS.test(name);
/** Whether rights in a cloud, including those of machines, decide who opens with it. */
export const isKmsKey = (name: string): boolean => isAwsKmsKey(name) || isCloudKmsKey(name);

/** Undefined for a value that names no valid key. */
export function parseStateKey(value: string): StateKeySetting | undefined {
  const names = value.split(',').map((name) => name.trim());
  if (names.every((name) => AGE.test(name))) return { kind: 'age', sealsWith: names.join(','), opensWith: [] };
  const [first, ...others] = names;
  const opensWith = first === NONE ? others : names;
  const sealsWith = first === NONE ? undefined : first;
  if (opensWith.length === 0) return { kind: undefined, sealsWith, opensWith };
  if (opensWith.every(isAwsKmsKey)) return { kind: 'aws-kms', sealsWith, opensWith };
  return opensWith.every(isCloudKmsKey) ? { kind: 'cloud-kms', sealsWith, opensWith } : undefined;
}

/** What the spec of a cluster says; undefined where it says nothing. The value has been validated. */
export function stateKeyOf({ metadata }: Pick<Cluster, 'metadata'>): StateKeySetting | undefined {
  const value = metadata.annotations?.[STATE_KEY_ANNOTATION];
  return value === undefined ? undefined : parseStateKey(value);
}
