const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  return rest;
});

/**
 * The CRC-32C (RFC 3720, B.4) of some bytes whose checksum is `before`, followed by these bytes. The CRC-32 of Node's
 * zlib uses another polynomial.
 */
export function crc32c(before: number, bytes: Uint8Array): number {
  let rest = ~before;
  // An index instead of an iterator, which takes several times as long over hundreds of megabytes.
  for (let at = 0; at < bytes.byteLength; at += 1) {
    rest = (TABLE[(rest ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}
