import { DnsConflictError } from '../dns-conflict.ts';
import { isSameSet } from '../record-values.ts';
import type { DnsProvider, ObservedRecordSet, RecordSet, RecordSetChange, Zone } from '../zone.ts';

/** Zones in memory with the rules of a DNS server: a change is refused if a set that it replaces has changed. */
export class MemoryZones implements DnsProvider {
  readonly contents = new Map<string, ObservedRecordSet[]>();
  /** Called before each change, to act as another writer. */
  beforeChange: () => void = () => {};
  readonly #zones: readonly Zone[];

  constructor(names: readonly string[]) {
    this.#zones = names.map((name) => ({ id: name, name }));
    for (const name of names) this.contents.set(name, []);
  }

  zones(): Promise<readonly Zone[]> {
    return Promise.resolve(this.#zones);
  }

  list(zone: Zone): Promise<readonly ObservedRecordSet[]> {
    return Promise.resolve([...(this.contents.get(zone.id) ?? [])]);
  }

  async change(zone: Zone, changes: readonly { readonly sets: readonly RecordSetChange[] }[]): Promise<void> {
    this.beforeChange();
    const sets = changes.flatMap((change) => change.sets);
    const contents = this.contents.get(zone.id) ?? [];
    for (const { before, after } of sets) {
      const found = contents.find((set) => isAt(set, before ?? after));
      const isAsSaid = before === undefined ? found === undefined : found !== undefined && isSameSet(found, before);
      if (!isAsSaid) throw new DnsConflictError(zone.name, `${(before ?? after)?.name} has changed`);
    }
    for (const { before, after } of sets) {
      const at = contents.findIndex((set) => isAt(set, before));
      if (at >= 0) contents.splice(at, 1);
      if (after !== undefined) insert(contents, after);
    }
  }
}

function insert(contents: ObservedRecordSet[], after: RecordSet): void {
  const beside = contents.find(
    ({ name, type }) => name === after.name && (type === 'CNAME' || after.type === 'CNAME' || type === after.type),
  );
  if (beside !== undefined) throw new Error(`${after.type} ${after.name} cannot exist beside ${beside.type}`);
  contents.push(after);
}

function isAt(set: ObservedRecordSet, other: RecordSet | undefined): boolean {
  return set.name === other?.name && set.type === other.type;
}
