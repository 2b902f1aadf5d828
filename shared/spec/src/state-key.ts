import type { Cluster } from './cluster.ts';
import { STATE_KEY_ANNOTATION } from './own-annotations.ts';

/** Keys with which the machines of a cloud can open sealed objects: of age (age-encryption.org), or of a service of the cloud. */
export interface StateKeyKind {
  /** What a person writes, completing "write …". */
  readonly form: string;
  readonly isKey: (name: string) => boolean;
}

/**
 * What the annotation says about keysets and secrets in the state store:
 *
 *   age1…,age1…          sealed for several people, each of whom opens them;
 *   KEY,KEY              sealed with the first key of a cloud; machines may open with each, so that keys can be changed;
 *   none                 written in the clear again; keys behind it are the keys that machines may still open with.
 */
export interface StateKeySetting {
  /** The key that objects are sealed with, as envelopes name it. Undefined: they are written in the clear. */
  readonly sealsWith: string | undefined;
  /** Keys of a cloud that machines may open with. */
  readonly opensWith: readonly string[];
}

const NONE = 'none';

/** Bech32 of 32 bytes. Whether the checksum is right is found out when something is sealed. */
const AGE = /^age1[02-9ac-hj-np-z]{58}$/;

/** Whether it names recipients of age. Rights in a cloud, including those of machines, decide who opens with any other key. */
export const isAgeKey = (name: string): boolean => name.split(',').every((one) => AGE.test(one));

export const AGE_KEYS: StateKeyKind = {
  form: 'a recipient of age (age1…, which `age-keygen` prints)',
  isKey: isAgeKey,
};

/** Undefined for a value that mixes recipients of age with anything else. Each cloud recognizes keys of its own kind. */
export function parseStateKey(value: string): StateKeySetting | undefined {
  const names = value.split(',').map((name) => name.trim());
  if (names.every((name) => AGE.test(name))) return { sealsWith: names.join(','), opensWith: [] };
  if (names.some((name) => AGE.test(name))) return undefined;
  const [first, ...others] = names;
  return first === NONE ? { sealsWith: undefined, opensWith: others } : { sealsWith: first, opensWith: names };
}

/** Whether all keys that a setting names are of this kind. */
export const areOfKind = ({ sealsWith, opensWith }: StateKeySetting, { isKey }: StateKeyKind): boolean =>
  (sealsWith === undefined || isKey(sealsWith)) && opensWith.every(isKey);

/** What the spec of a cluster says; undefined where it says nothing. The value has been validated. */
export function stateKeyOf({ metadata }: Pick<Cluster, 'metadata'>): StateKeySetting | undefined {
  const value = metadata.annotations?.[STATE_KEY_ANNOTATION];
  return value === undefined ? undefined : parseStateKey(value);
}
