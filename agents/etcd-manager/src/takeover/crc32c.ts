const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  return rest;
});

/** The CRC-32C (RFC 3720, B.4) of what `before` is the one of, followed by these bytes. Node's zlib has another polynomial. */
export function crc32c(before: number, bytes: Uint8Array): number {
  let rest = ~before;
  // Indexed, for it runs over hundreds of megabytes: an iterator takes several times as long.
  for (let at = 0; at < bytes.byteLength; at += 1) {
    rest = (TABLE[(rest ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}
