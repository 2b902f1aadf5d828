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

/** The defaults of external-dns. Before 0.12 it marked a name by a TXT record at the name itself. */
const EXTERNAL_DNS: Owner = { id: 'default', prefix: '' };

/** A zone from the point of view of one cluster: its records and their owners. */
export interface ZoneView extends ClusterView {
  readonly zone: Zone;
}

interface ClusterView {
  readonly clusterName: string;
  readonly owner: Owner;
  /** Names with at least one wanted set. */
  readonly wantedNames: ReadonlySet<string>;
  readonly setsByName: ReadonlyMap<string, readonly ObservedRecordSet[]>;
}

export function setsAt(view: ClusterView, name: string): readonly ObservedRecordSet[] {
  return view.setsByName.get(name) ?? [];
}

/** The ownership record of a set, if it exists and names this cluster. */
export function ownMark(view: ClusterView, name: string, type: RecordType): RecordSet | undefined {
  return setsAt(view, markName(view.owner, name, type)).find((set) => isOwnMark(set, view));
}

/** Whether a set is an ownership record of this cluster. */
export function isOwnMark(set: ObservedRecordSet, view: ClusterView): set is RecordSet {
  return set.type === 'TXT' && markedBy(view.owner, set.name) !== undefined && isMarkOf(view.owner, set);
}

/** The set of a name and type, if this cluster owns it. */
export function ownSet(view: ClusterView, name: string, type: RecordType): RecordSet | undefined {
  return setsAt(view, name).find((set): set is RecordSet => set.type === type && isOwnSet(set, view));
}

/** Whether this cluster owns a set. Sets it does not own are never changed. */
export function isOwnSet(set: ObservedRecordSet, view: ClusterView): set is RecordSet {
  if (!isRecordType(set.type) || set.opaque !== undefined || looksLikeWildcard(set.name)) return false;
  const mark = setsAt(view, markName(view.owner, set.name, set.type)).find(({ type }) => type === 'TXT');
  if (mark !== undefined) return isOwnMark(mark, view);
  return set.type !== 'TXT' && isLeftByKops(set.name, view);
}

/**
 * kops's agents write no ownership records, so their records are recognised by name. The API's names are taken over
 * only if they are wanted, because with a load balancer they belong to it.
 */
function isLeftByKops(name: string, view: ClusterView): boolean {
  if (!isKopsName(name, view.clusterName)) return false;
  const owners = [name, ...RECORD_TYPES.map((type) => markName(EXTERNAL_DNS, name, type))]
    .flatMap((marked) => setsAt(view, marked))
    .flatMap(ownersIn);
  if (owners.some((id) => id !== view.owner.id)) return false;
  return isAgentsName(name, view.clusterName) || view.wantedNames.has(name);
}

/** The names with at least one set or ownership record of this cluster. */
export function ownNames(view: ClusterView): readonly string[] {
  return [...view.setsByName.values()].flat().flatMap((set) => {
    if (isOwnMark(set, view)) return markedBy(view.owner, set.name)?.name ?? [];
    return isOwnSet(set, view) ? set.name : [];
  });
}

/**
 * Returns a function that tells which sets of a zone belong to a cluster: the sets it marked, their ownership records,
 * and the records that kops's agents left.
 */
export function ownSets(clusterName: string, sets: readonly ObservedRecordSet[]): (set: ObservedRecordSet) => boolean {
  const view: ClusterView = {
    clusterName,
    owner: ownerOfCluster(clusterName),
    setsByName: Map.groupBy(sets, ({ name }) => name),
    wantedNames: new Set(),
  };
  return (set) => isOwnMark(set, view) || isOwnSet(set, view);
}
