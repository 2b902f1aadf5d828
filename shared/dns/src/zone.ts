/** The types of records that are ever written. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'TXT'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** All records of one type at one name: DNS changes them together or not at all. */
export interface RecordSet {
  /** Lower case, without the dot at the end. */
  readonly name: string;
  readonly type: RecordType;
  readonly ttlSeconds: number;
  /** As zone files have them: addresses, names, and for TXT quoted strings. */
  readonly values: readonly string[];
}

/** What a zone holds at a name, of any type. */
export interface ObservedRecordSet extends Omit<RecordSet, 'type'> {
  readonly type: string;
  /** Why the set cannot be put in `values`, e.g. `an alias`. Such a set is nobody's but its maker's. */
  readonly opaque?: string;
}

/** From what must be there at this moment (nothing, if `before` is absent) to what will be (nothing, without `after`). */
export interface RecordSetChange {
  readonly before?: RecordSet;
  readonly after?: RecordSet;
}

/** What one name needs, its ownership records included: done as a whole or not at all. */
export interface NameChange {
  readonly name: string;
  /** Completes the sentence "would …". */
  readonly summary: string;
  readonly sets: readonly RecordSetChange[];
}

export interface Zone {
  /** What the provider calls it; a name may belong to several zones (a public and a private one). */
  readonly id: string;
  /** Lower case, without the dot at the end. */
  readonly name: string;
}

/** A service that holds zones. */
export interface DnsProvider {
  /** The zones that may be changed with what the provider was given. */
  zones(): Promise<readonly Zone[]>;
  list(zone: Zone): Promise<readonly ObservedRecordSet[]>;
  /**
   * Carries out the changes, in batches as large as the provider takes, never dividing a NameChange. Where the zone
   * does not hold what a change says it replaces, nothing of that batch is done and a DnsConflictError is thrown.
   */
  change(zone: Zone, changes: readonly NameChange[]): Promise<void>;
}

/** A name as zones hold it. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Whether a name is the zone's own or below it. */
export function isWithin(name: string, zoneName: string): boolean {
  return name === zoneName || name.endsWith(`.${zoneName}`) || zoneName === '';
}

export function isRecordType(type: string): type is RecordType {
  return RECORD_TYPES.some((known) => known === type);
}
