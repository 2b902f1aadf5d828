import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { markName } from './owner-mark.ts';
import { planRecords } from './plan-records.ts';
import { canonicalValue } from './record-values.ts';
import { anyWanted, anyZone, CLUSTER, mark, OWNER, type AnyZone } from './testdata/any-zone.ts';
import { MemoryZones } from './testdata/memory-zones.ts';
import { RECORD_TYPES, type ObservedRecordSet, type RecordSet } from './zone.ts';

const ZONE = 'example.com';

const planFor = (zones: MemoryZones, wanted: readonly RecordSet[], isPartial = false) =>
  planRecords([{ zone: { id: ZONE, name: ZONE }, sets: zones.contents.get(ZONE) ?? [] }], {
    clusterName: CLUSTER,
    owner: OWNER,
    wanted,
    isPartial,
  });

function zonesWith({ ours, foreign }: AnyZone): MemoryZones {
  const zones = new MemoryZones([ZONE]);
  zones.contents.set(ZONE, [...ours, ...foreign]);
  return zones;
}

async function converge(zones: MemoryZones, wanted: readonly RecordSet[], isPartial = false) {
  const plan = planFor(zones, wanted, isPartial);
  for (const { zone, changes } of plan.zones) await zones.change(zone, changes);
  return plan;
}

test('a plan leaves exactly the wanted and the foreign sets', async () => {
  await fc.assert(
    fc.asyncProperty(anyZone, anyWanted, async (before, wanted) => {
      const zones = zonesWith(before);
      const { blocked } = await converge(zones, wanted);
      const isBlocked = ({ name }: { name: string }) => blocked.some((wish) => wish.name === name);
      const left = told(zones.contents.get(ZONE) ?? []).filter(
        (line) => !blocked.some(({ name }) => line.includes(` ${name} `)),
      );
      const free = merge(wanted).filter((set) => !isBlocked(set));
      const expected = told([
        ...free,
        ...free.map((set) => mark(set, OWNER)),
        ...before.foreign.filter((set) => !isBlocked(set)),
      ]);
      // The properties below check names with a blocked set; here these and their ownership records are left out.
      const marksOfBlocked = blocked.flatMap(({ name }) =>
        RECORD_TYPES.map((type) => ` ${markName(OWNER, name, type)} `),
      );
      const settled = (lines: string[]) => lines.filter((line) => !marksOfBlocked.some((part) => line.includes(part)));
      expect(settled(left)).toEqual(settled(expected));
    }),
    { numRuns: often(2_000, 40_000) },
  );
});

test('a second plan is empty', async () => {
  await fc.assert(
    fc.asyncProperty(anyZone, anyWanted, fc.boolean(), async (before, wanted, isPartial) => {
      const zones = zonesWith(before);
      const first = await converge(zones, wanted, isPartial);
      expect(planFor(zones, wanted, isPartial)).toEqual({ zones: [], blocked: first.blocked });
    }),
    { numRuns: often(1_000, 20_000) },
  );
});

test('foreign sets are never changed', () => {
  fc.assert(
    fc.property(anyZone, anyWanted, fc.boolean(), (before, wanted, isPartial) => {
      const { zones } = planFor(zonesWith(before), wanted, isPartial);
      const touched = zones
        .flatMap(({ changes }) => changes.flatMap(({ sets }) => sets))
        .flatMap(({ before, after }) => before ?? after ?? []);
      const foreign = new Set(before.foreign.map(({ name, type }) => `${name} ${type}`));
      expect(touched.filter(({ name, type }) => foreign.has(`${name} ${type}`))).toEqual([]);
    }),
    { numRuns: often(1_000, 20_000) },
  );
});

test('the order of existing and wanted sets does not matter', () => {
  fc.assert(
    fc.property(anyZone, anyWanted, (before, wanted) => {
      const reversed = { ours: before.ours.toReversed(), foreign: before.foreign.toReversed() };
      const plan = planFor(zonesWith(before), wanted);
      const other = planFor(zonesWith(reversed), wanted.toReversed());
      expect(other.zones).toEqual(plan.zones);
      expect(other.blocked.map(({ name, type }) => [name, type])).toEqual(
        plan.blocked.map(({ name, type }) => [name, type]),
      );
    }),
  );
});

test('a partial list deletes only what is in the way', () => {
  fc.assert(
    fc.property(anyZone, anyWanted, (before, wanted) => {
      const { zones } = planFor(zonesWith(before), wanted, true);
      const unwanted = zones
        .flatMap(({ changes }) => changes)
        .filter((change) => !wanted.some(({ name }) => name === change.name));
      expect(unwanted).toEqual([]);
    }),
  );
});

function merge(wanted: readonly RecordSet[]): RecordSet[] {
  const byKey = Map.groupBy(wanted, ({ name, type }) => `${name} ${type}`);
  return [...byKey.values()].flatMap((sets) => {
    const ttlSeconds = Math.min(...sets.map((set) => set.ttlSeconds));
    const values = sets.flatMap((set) => set.values);
    return sets.slice(0, 1).map((first) => ({ ...first, ttlSeconds, values }));
  });
}

function told(sets: readonly ObservedRecordSet[]): string[] {
  const lines = sets.map(({ type, name, ttlSeconds, values }) => {
    const all = [...new Set(values.map((value) => canonicalValue(type, value)))].sort().join(',');
    return `${type} ${name} ${ttlSeconds} ${all}`;
  });
  return lines.sort();
}
