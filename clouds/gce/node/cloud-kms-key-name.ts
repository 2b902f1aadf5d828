/** The name of a key, not of a version of it: Google seals with the primary version and opens with each. */
const CLOUD_KMS_KEY =
  /^projects\/([a-z0-9.-]+:)?[a-z0-9-]+\/locations\/[a-z0-9-]+\/keyRings\/[\w-]{1,63}\/cryptoKeys\/[\w-]{1,63}$/;

export const isCloudKmsKeyName = (name: string): boolean => CLOUD_KMS_KEY.test(name);
