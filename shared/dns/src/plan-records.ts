import { findObstacle } from './find-obstacle.ts';
import { markName, markValue, type Owner } from './owner-mark.ts';
import { placeholderFor } from './placeholder.ts';
import { canonicalValue, isSameSet } from './record-values.ts';
import { ownMark, ownNames, ownSet, type ZoneView } from './zone-view.ts';
import {
  canonicalName,
  isWithin,
  RECORD_TYPES,
  type NameChange,
  type ObservedRecordSet,
  type RecordSet,
  type RecordSetChange,
  type RecordType,
  type Zone,
} from './zone.ts';

export interface ZoneContents {
  readonly zone: Zone;
  readonly sets: readonly ObservedRecordSet[];
}

export interface RecordWishes {
  readonly clusterName: string;
  readonly owner: Owner;
  /** Without values: the name must exist, its addresses are not known yet. */
  readonly wanted: readonly RecordSet[];
  /** `wanted` is not all there is to want (others publish names of this cluster too): then nothing is deleted. */
  readonly isPartial?: boolean;
}

/** A wish that is not fulfilled, because that would touch what belongs to others, or cannot be. */
export interface BlockedRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly why: string;
}

export interface RecordsPlan {
  /** Only zones with changes, sorted by name. */
  readonly zones: readonly { readonly zone: Zone; readonly changes: readonly NameChange[] }[];
  readonly blocked: readonly BlockedRecord[];
}

/** Ownership records are read by agents only; kops gives its own 10 s (PlaceholderTTL), which only burdens servers. */
const MARK_TTL_SECONDS = 300;

/**
 * Decides what must change so that the zones hold exactly what is wanted, beside what belongs to others. The same input
 * gives the same plan, and what a plan made needs no other. Pure.
 */
export function planRecords(contents: readonly ZoneContents[], wishes: RecordWishes): RecordsPlan {
  const zones = contents.toSorted(
    (left, right) => compare(left.zone.name, right.zone.name) || compare(left.zone.id, right.zone.id),
  );
  const wanted = mergeWanted(wishes.wanted);
  const plans = zones.map((zone) =>
    planZone(
      zone,
      wanted.filter(({ name }) => zoneOf(name, zones) === zone),
      wishes,
    ),
  );
  const homeless = wanted.flatMap((set) =>
    zoneOf(set.name, zones) === undefined
      ? [blockedBecause(set, 'not exactly one of the zones that may be changed holds this name')]
      : [],
  );
  return {
    zones: plans.flatMap(({ zone, changes }) => (changes.length === 0 ? [] : [{ zone, changes }])),
    blocked: [...plans.flatMap(({ blocked }) => blocked), ...homeless],
  };
}

/** The zone with the longest name of those that hold a name, as long as it is the only one of its name. */
function zoneOf(name: string, zones: readonly ZoneContents[]): ZoneContents | undefined {
  const holding = zones.filter(({ zone }) => isWithin(name, zone.name));
  const longest = Math.max(...holding.map(({ zone }) => zone.name.length));
  const nearest = holding.filter(({ zone }) => zone.name.length === longest);
  return nearest.length === 1 ? nearest[0] : undefined;
}

/** One set for each name and type, in a fixed order. */
function mergeWanted(wanted: readonly RecordSet[]): readonly RecordSet[] {
  const merged = new Map<string, RecordSet>();
  for (const set of wanted) {
    const name = canonicalName(set.name);
    const key = `${name} ${set.type}`;
    const other = merged.get(key);
    const values = [...(other?.values ?? []), ...set.values].map((value) => canonicalValue(set.type, value));
    const ttlSeconds = Math.min(set.ttlSeconds, other?.ttlSeconds ?? set.ttlSeconds);
    merged.set(key, { name, type: set.type, ttlSeconds, values: [...new Set(values)].sort() });
  }
  return [...merged.values()].sort((left, right) => compare(left.name, right.name) || compare(left.type, right.type));
}

interface ZonePlan {
  readonly zone: Zone;
  readonly changes: readonly NameChange[];
  readonly blocked: readonly BlockedRecord[];
}

function planZone({ zone, sets }: ZoneContents, wanted: readonly RecordSet[], wishes: RecordWishes): ZonePlan {
  const { clusterName, owner, isPartial = false } = wishes;
  const setsByName = Map.groupBy(sets, ({ name }) => name);
  const wantedNames = new Set(wanted.map(({ name }) => name));
  const view: ZoneView = { zone, clusterName, owner, setsByName, wantedNames };
  const blocked = wanted.flatMap((set) => {
    const why = findObstacle(set, wanted, view);
    return why === undefined ? [] : [blockedBecause(set, why)];
  });
  const blockedKeys = new Set(blocked.map(({ name, type }) => `${name} ${type}`));
  const blockedNames = new Set(blocked.map(({ name }) => name));
  const possible = Map.groupBy(
    wanted.filter(({ name, type }) => !blockedKeys.has(`${name} ${type}`)),
    ({ name }) => name,
  );
  // A name of which nothing can be fulfilled keeps what it has until that is settled.
  const unwantedNames = isPartial ? [] : ownNames(view).filter((name) => !blockedNames.has(name));
  const names = [...new Set([...possible.keys(), ...unwantedNames])].sort(compare);
  const changes = names.flatMap((name) => planName(name, possible.get(name) ?? [], isPartial, view));
  return { zone, changes, blocked };
}

function planName(
  name: string,
  wanted: readonly RecordSet[],
  isPartial: boolean,
  view: ZoneView,
): readonly NameChange[] {
  const hasCname = wanted.some(({ type }) => type === 'CNAME');
  // In a partial view only what stands in the way goes: the rest may be wanted by others.
  const types = RECORD_TYPES.filter(
    (type) => !isPartial || hasCname || type === 'CNAME' || wanted.some((set) => set.type === type),
  );
  const order = types.toSorted((left, right) => typeOrder(left, wanted) - typeOrder(right, wanted));
  const planned = order.map((type) =>
    planSet(
      name,
      wanted.find((set) => set.type === type),
      type,
      view,
    ),
  );
  const sets = planned.flatMap((each) => each.sets);
  const summary = planned.flatMap((each) => each.summary ?? []).join(', ');
  return sets.length === 0 ? [] : [{ name, summary, sets }];
}

/** What goes, goes first: a CNAME cannot come where an address still is, nor the other way round. */
function typeOrder(type: RecordType, wanted: readonly RecordSet[]): number {
  return RECORD_TYPES.indexOf(type) + (wanted.some((set) => set.type === type) ? RECORD_TYPES.length : 0);
}

function planSet(name: string, wish: RecordSet | undefined, type: RecordType, view: ZoneView) {
  const before = ownSet(view, name, type);
  const after = wish === undefined ? undefined : withPlaceholder(wish, before);
  const markBefore = ownMark(view, name, type);
  // An ownership record that says the same in other words stays: it may be external-dns's.
  const markAfter = after === undefined ? undefined : (markBefore ?? markFor(view.owner, name, type));
  const sets = [...changeOf(before, after), ...changeOf(markBefore, markAfter)];
  return sets.length === 0 ? { sets } : { sets, summary: summarize(name, type, before, after) };
}

function markFor(owner: Owner, name: string, type: RecordType): RecordSet {
  return { name: markName(owner, name, type), type: 'TXT', ttlSeconds: MARK_TTL_SECONDS, values: [markValue(owner)] };
}

/** A name whose addresses are not known keeps what it has, or points nowhere; so nobody caches that it does not exist. */
function withPlaceholder(wish: RecordSet, before: RecordSet | undefined): RecordSet | undefined {
  if (wish.values.length > 0) return wish;
  return before ?? placeholderFor(wish);
}

function changeOf(before: RecordSet | undefined, after: RecordSet | undefined): RecordSetChange[] {
  if (before === undefined) return after === undefined ? [] : [{ after }];
  if (after === undefined) return [{ before }];
  return isSameSet(before, after) ? [] : [{ before, after }];
}

function summarize(
  name: string,
  type: RecordType,
  before: RecordSet | undefined,
  after: RecordSet | undefined,
): string {
  const from = before?.values.join(' ');
  const to = after?.values.join(' ');
  if (to === undefined) return from === undefined ? `forget ${type} ${name}` : `delete ${type} ${name} (${from})`;
  if (from === undefined) return `create ${type} ${name} = ${to}`;
  return from === to ? `own ${type} ${name} = ${to}` : `change ${type} ${name} from ${from} to ${to}`;
}

function blockedBecause({ name, type }: RecordSet, why: string): BlockedRecord {
  return { name, type, why };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
