import type { RecordSet } from './zone.ts';

/**
 * The placeholder addresses of kops, which no machine has (upup/pkg/fi/cloudup/dns.go). A name gets them until its
 * addresses are known, so that resolvers do not cache that it does not exist.
 */
const PLACEHOLDERS = { A: '203.0.113.123', AAAA: 'fd00:dead:add::' } as const;

/** kops PlaceholderTTL: the real address follows within minutes. */
const PLACEHOLDER_TTL_SECONDS = 10;

/** The placeholder set of a name; undefined for types other than A and AAAA. */
export function placeholderFor(wish: RecordSet): RecordSet | undefined {
  if (wish.type !== 'A' && wish.type !== 'AAAA') return undefined;
  return { ...wish, ttlSeconds: PLACEHOLDER_TTL_SECONDS, values: [PLACEHOLDERS[wish.type]] };
}

/** Whether an address is one that a name has before it has a real one. */
export const isPlaceholder = (address: string): boolean => Object.values(PLACEHOLDERS).some((one) => one === address);
