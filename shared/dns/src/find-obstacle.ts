import { isMarkOf, looksLikeWildcard, markedBy, markName, ownersIn } from './owner-mark.ts';
import { isOwnMark, isOwnSet, setsAt, type ZoneView } from './zone-view.ts';
import { isWithin, type ObservedRecordSet, type RecordSet } from './zone.ts';

/** RFC 1035 §2.3.4: 255 bytes, including the length byte of the first label and the root. */
const MAX_NAME_LENGTH = 253;

/** Explains why a set cannot be created: the name is invalid, or a record of another owner is in the way. Pure. */
export function findObstacle(set: RecordSet, wanted: readonly RecordSet[], view: ZoneView): string | undefined {
  const mark = markName(view.owner, set.name, set.type);
  if (!isHostName(set.name) || mark.length > MAX_NAME_LENGTH) return 'the name is not a valid DNS name';
  if (!isWithin(mark, view.zone.name)) return `its ownership record ${mark} is outside the zone ${view.zone.name}`;
  if (markedBy(view.owner, set.name) !== undefined || looksLikeWildcard(set.name))
    return 'the name has the form of an ownership record';
  return (
    delegation(set.name, view) ?? contradiction(set, wanted) ?? foreignInTheWay(set, view) ?? foreignMark(mark, view)
  );
}

function isHostName(name: string): boolean {
  const isLabel = (label: string, index: number) =>
    /^[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?$/.test(label) || (label === '*' && index === 0);
  return name.length <= MAX_NAME_LENGTH && name.split('.').every(isLabel);
}

function delegation(name: string, view: ZoneView): string | undefined {
  const labels = name.split('.');
  const parents = labels.map((_, index) => labels.slice(index).join('.'));
  const cut = parents.find(
    (parent) =>
      parent !== view.zone.name &&
      isWithin(parent, view.zone.name) &&
      setsAt(view, parent).some(({ type }) => type === 'NS'),
  );
  return cut === undefined ? undefined : `${view.zone.name} delegates ${cut} to other name servers`;
}

function contradiction(set: RecordSet, wanted: readonly RecordSet[]): string | undefined {
  if (set.type !== 'CNAME') return undefined;
  const beside = wanted.find(({ name, type }) => name === set.name && type !== 'CNAME');
  if (beside !== undefined) return `a CNAME cannot exist beside the wanted ${beside.type} record`;
  return set.values.length === 1 ? undefined : `a CNAME can have only one target, not ${set.values.length}`;
}

function foreignInTheWay(set: RecordSet, view: ZoneView): string | undefined {
  const foreign = setsAt(view, set.name).filter((other) => !isOwnSet(other, view) && !isOwnMark(other, view));
  const other = foreign.find(({ type }) => type === set.type || type === 'CNAME' || set.type === 'CNAME');
  return other === undefined ? undefined : describeForeign(other);
}

function foreignMark(mark: string, view: ZoneView): string | undefined {
  const other = setsAt(view, mark).find(
    (set) => set.type === 'CNAME' || (set.type === 'TXT' && !isMarkOf(view.owner, set)),
  );
  return other === undefined ? undefined : describeForeign(other);
}

function describeForeign(set: ObservedRecordSet): string {
  const owners = ownersIn(set);
  const whose = owners.length > 0 ? `of the owner ${owners.join(', ')}` : 'that this cluster did not create';
  const what = set.opaque ?? set.values.join(' ');
  return `there is a record of type ${set.type} at ${set.name} ${whose}${what === '' ? '' : ` (${what})`}`;
}
