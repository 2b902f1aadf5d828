const DIGITS = '0123456789abcdefghijklmnopqrstuv';

/**
 * A name of at most `maxLength` characters that ends with a hash of the whole name, like those of kops (pkg/truncate):
 * both must find the same resource.
 */
export function hashedName(name: string, maxLength: number, hashLength = 6): string {
  // With less room than the hash needs, the name is longer than wanted: a negative end would keep most of it.
  const room = Math.max(0, maxLength - hashLength - 1);
  return `${name.slice(0, room)}-${shortHash(name).slice(0, hashLength)}`;
}

/** The name itself if it fits, otherwise `hashedName`. */
export function truncatedName(name: string, maxLength: number): string {
  return name.length <= maxLength ? name : hashedName(name, maxLength);
}

/** The 32-bit FNV-1a hash in base32hex (RFC 4648 §7), without padding. */
function shortHash(text: string): string {
  const bits = fnv1a(text).toString(2).padStart(32, '0').padEnd(35, '0');
  return bits.replaceAll(/.{5}/g, (five) => DIGITS[Number.parseInt(five, 2)] ?? '');
}

export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
