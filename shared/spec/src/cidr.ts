import ipaddr from 'ipaddr.js';

/** A parsed range of addresses. */
export interface Cidr {
  readonly family: 'ipv4' | 'ipv6';
  readonly first: bigint;
  readonly bits: number;
}

const width = (family: Cidr['family']): number => (family === 'ipv4' ? 32 : 128);

/** Parses `10.0.0.0/8` or `fd00::/8`. Undefined if the text is not a range. Bits beyond the prefix are ignored. */
export function parseCidr(text: string): Cidr | undefined {
  if (!/^[0-9a-fA-F.:]+\/\d+$/.test(text)) return undefined;
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(text);
  const family = address.kind();
  if (family === 'ipv4' && !/^\d+\.\d+\.\d+\.\d+\//.test(text)) return undefined;
  const value = address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const host = BigInt(width(family) - bits);
  return { family, first: (value >> host) << host, bits };
}

export function overlaps(left: Cidr, right: Cidr): boolean {
  if (left.family !== right.family) return false;
  const host = BigInt(width(left.family) - Math.min(left.bits, right.bits));
  return left.first >> host === right.first >> host;
}

/** Whether all of `inner` lies in `outer`. */
export const contains = (outer: Cidr, inner: Cidr): boolean => outer.bits <= inner.bits && overlaps(outer, inner);

/** The `index`th subrange of a range. Its prefix is longer by `extraBits`. */
export function subrange(range: Cidr, extraBits: number, index: number): Cidr | undefined {
  const bits = range.bits + extraBits;
  if (bits > width(range.family)) return undefined;
  return { ...range, bits, first: range.first + (BigInt(index) << BigInt(width(range.family) - bits)) };
}

/** The `index`th address of a range, as text. */
export function addressAt(range: Cidr, index: number): string {
  const bytes: number[] = [];
  let value = range.first + BigInt(index);
  for (let left = width(range.family) / 8; left > 0; left--) {
    bytes.unshift(Number(value & 255n));
    value >>= 8n;
  }
  return ipaddr.fromByteArray(bytes).toString();
}

export const formatCidr = (range: Cidr): string => `${addressAt(range, 0)}/${range.bits}`;
