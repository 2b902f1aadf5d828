/** One line of letters, digits and a few signs: it means itself within quotes of YAML. */
const KEYS = /^keys:\s*(["']?)(\d+\+? [\w.,()-]+ [\w.,() -]+)\1\s*$/;

/**
 * The keys in the secret ciliumpassword, as kops has it: `keys: 3 rfc4106(gcm(aes)) <hex> 128`. Undefined where it is not
 * in that form; what is wrong cannot be told without a part of the keys.
 */
export const parseIpsecKeys = (secret: string): string | undefined => KEYS.exec(secret)?.[2];
