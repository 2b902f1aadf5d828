import type { RecordSet } from './zone.ts';

/** The TTL of kops's records (dns-controller DefaultTTL). */
const TTL_SECONDS = 60;

export function isIpv6(address: string): boolean {
  return address.includes(':');
}

/** The record sets of a name with these addresses: A, AAAA or both. */
export function addressSets(name: string, addresses: readonly string[]): readonly RecordSet[] {
  const [v6, v4] = [addresses.filter(isIpv6), addresses.filter((address) => !isIpv6(address))];
  return [
    ...(v4.length === 0 ? [] : [{ name, type: 'A' as const, ttlSeconds: TTL_SECONDS, values: v4 }]),
    ...(v6.length === 0 ? [] : [{ name, type: 'AAAA' as const, ttlSeconds: TTL_SECONDS, values: v6 }]),
  ];
}

/** The CNAME set of a name. */
export function nameSet(name: string, target: string): RecordSet {
  return { name, type: 'CNAME', ttlSeconds: TTL_SECONDS, values: [target] };
}

/** The set of a name that must exist although its addresses are not known yet. */
export function unknownAddressSet(name: string, type: 'A' | 'AAAA'): RecordSet {
  return { name, type, ttlSeconds: TTL_SECONDS, values: [] };
}
