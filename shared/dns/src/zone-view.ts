import { isAgentsName, isKopsName } from './kops-names.ts';
import { isMarkOf, looksLikeWildcard, markedBy, markName, ownerOfCluster, ownersIn, type Owner } from './owner-mark.ts';
import {
  isRecordType,
  RECORD_TYPES,
  type ObservedRecordSet,
  type RecordSet,
  type RecordType,
  type Zone,
} from './zone.ts';

/** How external-dns marks if it is told nothing; before 0.12 it marked a name by a TXT record at the name itself. */
const EXTERNAL_DNS: Owner = { id: 'default', prefix: '' };

/** A zone with the eyes of one cluster: what is there, and whose it is. */
export interface ZoneView extends ClusterView {
  readonly zone: Zone;
}

interface ClusterView {
  readonly clusterName: string;
  readonly owner: Owner;
  /** Names of which anything is wanted. */
  readonly wantedNames: ReadonlySet<string>;
  readonly setsByName: ReadonlyMap<string, readonly ObservedRecordSet[]>;
}

export function setsAt(view: ClusterView, name: string): readonly ObservedRecordSet[] {
  return view.setsByName.get(name) ?? [];
}

/** The ownership record of a set, if there is one and it is this cluster's. */
export function ownMark(view: ClusterView, name: string, type: RecordType): RecordSet | undefined {
  return setsAt(view, markName(view.owner, name, type)).find((set) => isOwnMark(set, view));
}

/** Whether a set is an ownership record of this cluster. */
export function isOwnMark(set: ObservedRecordSet, view: ClusterView): set is RecordSet {
  return set.type === 'TXT' && markedBy(view.owner, set.name) !== undefined && isMarkOf(view.owner, set);
}

/** The set of a name and type, if this cluster made it. */
export function ownSet(view: ClusterView, name: string, type: RecordType): RecordSet | undefined {
  return setsAt(view, name).find((set): set is RecordSet => set.type === type && isOwnSet(set, view));
}

/** Whether this cluster made a set. What it did not make is never changed. */
export function isOwnSet(set: ObservedRecordSet, view: ClusterView): set is RecordSet {
  if (!isRecordType(set.type) || set.opaque !== undefined || looksLikeWildcard(set.name)) return false;
  const mark = setsAt(view, markName(view.owner, set.name, set.type)).find(({ type }) => type === 'TXT');
  if (mark !== undefined) return isOwnMark(mark, view);
  return set.type !== 'TXT' && isLeftByKops(set.name, view);
}

/**
 * kops's own agents leave no ownership records: their names tell. The API's names are only taken over where they are
 * wanted, because with a load balancer they belong to it.
 */
function isLeftByKops(name: string, view: ClusterView): boolean {
  if (!isKopsName(name, view.clusterName)) return false;
  const owners = [name, ...RECORD_TYPES.map((type) => markName(EXTERNAL_DNS, name, type))]
    .flatMap((marked) => setsAt(view, marked))
    .flatMap(ownersIn);
  if (owners.some((id) => id !== view.owner.id)) return false;
  return isAgentsName(name, view.clusterName) || view.wantedNames.has(name);
}

/** Names of which anything is this cluster's, be it only an ownership record. */
export function ownNames(view: ClusterView): readonly string[] {
  return [...view.setsByName.values()].flat().flatMap((set) => {
    if (isOwnMark(set, view)) return markedBy(view.owner, set.name)?.name ?? [];
    return isOwnSet(set, view) ? set.name : [];
  });
}

/** Tells of the sets of a zone which are a cluster's: those that it marked, the marks, and what kops's agents left. */
export function ownSets(clusterName: string, sets: readonly ObservedRecordSet[]): (set: ObservedRecordSet) => boolean {
  const view: ClusterView = {
    clusterName,
    owner: ownerOfCluster(clusterName),
    setsByName: Map.groupBy(sets, ({ name }) => name),
    wantedNames: new Set(),
  };
  return (set) => isOwnMark(set, view) || isOwnSet(set, view);
}
