import * as fc from 'fast-check';
import { markName, markValue, ownerOfCluster } from '../owner-mark.ts';
import type { ObservedRecordSet, RecordSet } from '../zone.ts';

export const CLUSTER = 'demo.example.com';
export const OWNER = ownerOfCluster(CLUSTER);
const OTHER = { ...OWNER, id: 'somebody-else' };

const addresses = fc.uniqueArray(fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3'), { minLength: 1 });
const names = fc.constantFrom('example.com', 'a.example.com', '*.apps.example.com', 'b.demo.example.com', 'x.y.example.com');
const ttlSeconds = fc.constantFrom(60, 300);

const anySet: fc.Arbitrary<RecordSet> = fc.oneof(
  fc.record({ name: names, type: fc.constant('A' as const), ttlSeconds, values: addresses }),
  fc.record({ name: names, type: fc.constant('AAAA' as const), ttlSeconds, values: fc.constant(['fd00::1']) }),
  fc.record({ name: names, type: fc.constant('TXT' as const), ttlSeconds, values: fc.constant(['"some text"']) }),
  fc.record({
    name: names,
    type: fc.constant('CNAME' as const),
    ttlSeconds,
    values: fc.constantFrom(['lb.example.net'], ['other.example.net.']),
  }),
);

/** Any wanted sets, including contradictory ones. */
export const anyWanted = fc.array(anySet, { maxLength: 8 });

export interface AnyZone {
  readonly ours: readonly RecordSet[];
  readonly foreign: readonly ObservedRecordSet[];
}

/** Any contents of a zone: sets of this and of other owners, ownership records without sets, and unmanaged types. */
export const anyZone: fc.Arbitrary<AnyZone> = fc
  .array(fc.record({ set: anySet, whose: fc.constantFrom('ours', 'unmarked', 'marked', 'mark only', 'mx') }), { maxLength: 8 })
  .map((parts) => {
    const zone: { ours: RecordSet[]; foreign: ObservedRecordSet[] } = { ours: [], foreign: [] };
    for (const { set, whose } of parts) {
      const there = [...zone.ours, ...zone.foreign].filter(({ name }) => name === set.name);
      if (there.some(({ type }) => type === 'CNAME' || type === set.type || set.type === 'CNAME')) continue;
      if ([...zone.ours, ...zone.foreign].some(({ name }) => name === markName(OWNER, set.name, set.type))) continue;
      if (whose === 'mx') zone.foreign.push({ name: set.name, type: 'MX', ttlSeconds: 60, values: [] });
      else if (whose === 'ours') zone.ours.push(set, mark(set, OWNER));
      else if (whose === 'mark only') zone.ours.push(mark(set, OWNER));
      else if (whose === 'marked') zone.foreign.push(set, mark(set, OTHER));
      else zone.foreign.push(set);
    }
    const mxs = zone.foreign.filter(({ type }) => type === 'MX').map(({ name }) => name);
    return { ours: zone.ours, foreign: zone.foreign.filter(({ name, type }, at) => type !== 'MX' || mxs.indexOf(name) <= at) };
  });

export function mark(set: RecordSet, owner: typeof OWNER): RecordSet {
  const name = markName(OWNER, set.name, set.type);
  return { name, type: 'TXT', ttlSeconds: 300, values: [markValue(owner)] };
}
