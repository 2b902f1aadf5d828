import type { RecordSet } from './zone.ts';

/**
 * What kops lets a name point to until its addresses are known (upup/pkg/fi/cloudup/dns.go): addresses that nobody has.
 * Whoever asks before then must not learn that the name does not exist, which resolvers remember for long.
 */
const PLACEHOLDERS = { A: '203.0.113.123', AAAA: 'fd00:dead:add::' } as const;

/** kops PlaceholderTTL: the real address follows within minutes. */
const PLACEHOLDER_TTL_SECONDS = 10;

/** The set that holds a name's place. Only addresses have one; of other types nothing is known to be better than wrong. */
export function placeholderFor(wish: RecordSet): RecordSet | undefined {
  if (wish.type !== 'A' && wish.type !== 'AAAA') return undefined;
  return { ...wish, ttlSeconds: PLACEHOLDER_TTL_SECONDS, values: [PLACEHOLDERS[wish.type]] };
}
