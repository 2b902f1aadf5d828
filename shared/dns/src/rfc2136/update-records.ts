import type { NameChange, RecordSet, RecordSetChange, RecordType } from '../zone.ts';
import { RECORD_TYPES } from '../zone.ts';
import { CLASS, TYPE, type WireRecord } from './message.ts';
import { encodeValue } from './record-data.ts';

export interface UpdateRecords {
  readonly prerequisites: readonly WireRecord[];
  readonly updates: readonly WireRecord[];
}

/**
 * Translates a change into RFC 2136: prerequisites (§2.4) and updates (§2.5). A server silently ignores a CNAME beside
 * other records, and other records beside a CNAME (§3.4.2.2), so this is a prerequisite too.
 */
export function updateRecords({ sets }: NameChange): UpdateRecords {
  const prerequisites = [...sets.flatMap(thisIsThere), ...sets.flatMap((change) => nothingInTheWay(change, sets))];
  return { prerequisites: prerequisites.filter(isFirst), updates: sets.flatMap(changeRecords) };
}

function thisIsThere({ before, after }: RecordSetChange): readonly WireRecord[] {
  if (before !== undefined) return recordsOf(before, 0);
  return after === undefined ? [] : [isAbsent(after.name, TYPE[after.type])];
}

function nothingInTheWay({ before, after }: RecordSetChange, sets: readonly RecordSetChange[]): readonly WireRecord[] {
  if (before !== undefined || after === undefined) return [];
  const leaving = sets.flatMap((other) => (other.before?.name === after.name ? other.before.type : []));
  const others: readonly RecordType[] = after.type === 'CNAME' ? RECORD_TYPES : ['CNAME'];
  if (after.type === 'CNAME' && leaving.length === 0) return [isAbsent(after.name, TYPE.ANY)];
  return others.filter((type) => !leaving.includes(type)).map((type) => isAbsent(after.name, TYPE[type]));
}

function changeRecords({ before, after }: RecordSetChange): readonly WireRecord[] {
  const gone = before === undefined ? [] : [empty(before.name, TYPE[before.type], CLASS.ANY)];
  return [...gone, ...(after === undefined ? [] : recordsOf(after, after.ttlSeconds))];
}

function recordsOf(set: RecordSet, ttlSeconds: number): readonly WireRecord[] {
  const { name, type, values } = set;
  return values.map((value) => ({
    name,
    type: TYPE[type],
    class: CLASS.IN,
    ttlSeconds,
    data: encodeValue(type, value),
  }));
}

function isAbsent(name: string, type: number): WireRecord {
  return empty(name, type, CLASS.NONE);
}

function empty(name: string, type: number, recordClass: number): WireRecord {
  return { name, type, class: recordClass, ttlSeconds: 0, data: new Uint8Array(0) };
}

function isFirst(record: WireRecord, index: number, all: readonly WireRecord[]): boolean {
  const isSame = (other: WireRecord) =>
    other.name === record.name &&
    other.type === record.type &&
    other.class === record.class &&
    Buffer.compare(other.data, record.data) === 0;
  return all.findIndex(isSame) === index;
}
