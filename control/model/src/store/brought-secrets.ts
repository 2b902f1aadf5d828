/** Secrets that only a person can bring, under kops's names for them. */

/** The keys with which API servers encrypt what they store: an EncryptionConfiguration. Wanted by spec.encryptionConfig. */
export const ENCRYPTION_CONFIG_SECRET = 'encryptionconfig';

/**
 * Credentials of registries for every machine, as in ~/.docker/config.json. No field asks for it: it takes effect where it
 * exists.
 */
export const DOCKER_CONFIG_SECRET = 'dockerconfig';

/** The keys with which Cilium encrypts traffic between machines by IPsec. */
export const CILIUM_SECRET = 'ciliumpassword';

/**
 * The SHA-256 of the secrets of a cluster in the state store, by name: a hash says whether the secret is there and whether it has
 * changed, but nothing about what is in it.
 */
export type SecretHashes = Readonly<Record<string, string>>;
