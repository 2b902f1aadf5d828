/** Secrets that only a person can bring, under kops's names for them. */

/** With which keys API servers encrypt what they store: an EncryptionConfiguration. Wanted by spec.encryptionConfig. */
export const ENCRYPTION_CONFIG_SECRET = 'encryptionconfig';

/** Credentials of registries for every machine, as in ~/.docker/config.json. No field wants it: it acts where it is. */
export const DOCKER_CONFIG_SECRET = 'dockerconfig';

/** The keys with which Cilium encrypts between machines by IPsec. */
export const CILIUM_SECRET = 'ciliumpassword';

/**
 * The SHA-256 of the secrets of a cluster in the state store, by name: it says whether one is there and whether it has
 * changed, and nothing of what is in it.
 */
export type SecretHashes = Readonly<Record<string, string>>;
