import { findObstacle } from './find-obstacle.ts';
import { kopsNames } from './kops-names.ts';
import { markName, markValue, type Owner, ownerOfCluster } from './owner-mark.ts';
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
  /** A set without values: the name must exist, its addresses are not known yet. */
  readonly wanted: readonly RecordSet[];
  /**
   * Whether `wanted` is incomplete because other writers publish names of this cluster too. Nothing is deleted then.
   */
  readonly isPartial?: boolean;
}

/** A wanted set that cannot be created: it is invalid, or it would change a record of another owner. */
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

/** Only agents read ownership records. kops uses 10 s (PlaceholderTTL) for its own, which only adds load on servers. */
const MARK_TTL_SECONDS = 300;

/**
 * Plans the changes after which the zones contain exactly the wanted sets, and all sets of other owners unchanged. The
 * same input gives the same plan, and a second plan after applying it is empty. Pure.
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
      ? [blockedBecause(set, 'the name must be in exactly one of the configured zones')]
      : [],
  );
  return {
    zones: plans.flatMap(({ zone, changes }) => (changes.length === 0 ? [] : [{ zone, changes }])),
    blocked: [...plans.flatMap(({ blocked }) => blocked), ...homeless],
  };
}

/**
 * Plans the deletion of everything that a cluster has in zones, because the cluster itself is deleted: also of the
 * API's names that kops left, which a load balancer no longer has. Sets of other owners stay. Pure.
 */
export function planRemoval(contents: readonly ZoneContents[], clusterName: string): RecordsPlan['zones'] {
  const { api, apiInternal } = kopsNames(clusterName);
  const own = { clusterName, owner: ownerOfCluster(clusterName), wantedNames: new Set([api, apiInternal]) };
  return contents.flatMap(({ zone, sets }) => {
    const view: ZoneView = { ...own, zone, setsByName: Map.groupBy(sets, ({ name }) => name) };
    const names = [...new Set(ownNames(view))].sort(compare);
    const changes = names.flatMap((name) => planName(name, [], false, view));
    return changes.length === 0 ? [] : [{ zone, changes }];
  });
}

/** The zone with the longest name that contains a name, if it is the only zone with its name. */
function zoneOf(name: string, zones: readonly ZoneContents[]): ZoneContents | undefined {
  const holding = zones.filter(({ zone }) => isWithin(name, zone.name));
  const longest = Math.max(...holding.map(({ zone }) => zone.name.length));
  const nearest = holding.filter(({ zone }) => zone.name.length === longest);
  return nearest.length === 1 ? nearest[0] : undefined;
}

/** Merges the sets into one for each name and type, in a fixed order. */
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
  // A blocked name keeps its current records until the conflict is resolved.
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
  // With a partial list only the sets in the way are deleted: other writers may want the rest.
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

/** Deletions come first: a CNAME cannot be created beside an address, nor an address beside a CNAME. */
function typeOrder(type: RecordType, wanted: readonly RecordSet[]): number {
  return RECORD_TYPES.indexOf(type) + (wanted.some((set) => set.type === type) ? RECORD_TYPES.length : 0);
}

function planSet(name: string, wish: RecordSet | undefined, type: RecordType, view: ZoneView) {
  const before = ownSet(view, name, type);
  const after = wish === undefined ? undefined : withPlaceholder(wish, before);
  const markBefore = ownMark(view, name, type);
  // An equivalent ownership record stays: external-dns may have written it.
  const markAfter = after === undefined ? undefined : (markBefore ?? markFor(view.owner, name, type));
  const sets = [...changeOf(before, after), ...changeOf(markBefore, markAfter)];
  return sets.length === 0 ? { sets } : { sets, summary: summarize(name, type, before, after) };
}

function markFor(owner: Owner, name: string, type: RecordType): RecordSet {
  return { name: markName(owner, name, type), type: 'TXT', ttlSeconds: MARK_TTL_SECONDS, values: [markValue(owner)] };
}

/** Without known addresses a name keeps its current ones, or gets the placeholder. */
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
