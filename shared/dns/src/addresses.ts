import type { RecordSet } from './zone.ts';

/** What kops gives its records (dns-controller DefaultTTL). */
const TTL_SECONDS = 60;

export function isIpv6(address: string): boolean {
  return address.includes(':');
}

/** The sets that let a name point to addresses, of each family that there is. */
export function addressSets(name: string, addresses: readonly string[]): readonly RecordSet[] {
  const [v6, v4] = [addresses.filter(isIpv6), addresses.filter((address) => !isIpv6(address))];
  return [
    ...(v4.length === 0 ? [] : [{ name, type: 'A' as const, ttlSeconds: TTL_SECONDS, values: v4 }]),
    ...(v6.length === 0 ? [] : [{ name, type: 'AAAA' as const, ttlSeconds: TTL_SECONDS, values: v6 }]),
  ];
}

/** The set of a name that points to another name. */
export function nameSet(name: string, target: string): RecordSet {
  return { name, type: 'CNAME', ttlSeconds: TTL_SECONDS, values: [target] };
}

/** The set that asks for a name to exist although its addresses are not known. */
export function unknownAddressSet(name: string, type: 'A' | 'AAAA'): RecordSet {
  return { name, type, ttlSeconds: TTL_SECONDS, values: [] };
}
