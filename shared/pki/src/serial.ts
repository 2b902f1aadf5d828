/**
 * A serial number as kops makes them (pkg/pki/pki.go, BuildPKISerial): the time in nanoseconds, then 32 random bits.
 * It has 28 decimal digits, and a newer one is larger, which orders keysets.
 */
export function serialAt(nowMs: number, random32: number): string {
  return (((BigInt(Math.floor(nowMs)) * 1_000_000n) << 32n) | BigInt(random32 >>> 0)).toString();
}

/** The form in certificates. */
export function serialToHex(serial: string): string {
  const hex = BigInt(serial).toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

/** When a serial number of that form was made, in ms since 1970; undefined for any other. */
export function serialTimeMs(serial: string): number | undefined {
  if (!/^\d{27,29}$/.test(serial)) return undefined;
  return Number((BigInt(serial) >> 32n) / 1_000_000n);
}
