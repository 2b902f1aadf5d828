/** The record types that are managed. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'TXT'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** All records of one type at one name. DNS changes them only together. */
export interface RecordSet {
  /** Lower case, without a trailing dot. */
  readonly name: string;
  readonly type: RecordType;
  readonly ttlSeconds: number;
  /** In the notation of zone files: addresses, names, and quoted strings for TXT. */
  readonly values: readonly string[];
}

/** An existing record set, of any type. */
export interface ObservedRecordSet extends Omit<RecordSet, 'type'> {
  readonly type: string;
  /** Why `values` cannot describe the set, e.g. `an alias`. Such a set is never changed. */
  readonly opaque?: string;
}

/**
 * Replaces `before`, which must exist exactly as given, by `after`. Without `before` the set must not exist yet; without
 * `after` it is deleted.
 */
export interface RecordSetChange {
  readonly before?: RecordSet;
  readonly after?: RecordSet;
}

/** All changes of one name and its ownership records, applied together or not at all. */
export interface NameChange {
  readonly name: string;
  /** Completes the sentence "would …". */
  readonly summary: string;
  readonly sets: readonly RecordSetChange[];
}

export interface Zone {
  /** The provider's id. A public and a private zone can have the same name. */
  readonly id: string;
  /** Lower case, without a trailing dot. */
  readonly name: string;
}

/** A service that hosts zones. */
export interface DnsProvider {
  /** The configured zones. */
  zones(): Promise<readonly Zone[]>;
  list(zone: Zone): Promise<readonly ObservedRecordSet[]>;
  /**
   * Applies the changes in batches as large as the provider accepts; a NameChange is never divided. If the zone does not
   * contain what a change replaces, nothing of that batch is applied and a DnsConflictError is thrown.
   */
  change(zone: Zone, changes: readonly NameChange[]): Promise<void>;
}

/** The canonical form of a name: lower case, without a trailing dot. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Whether a name is in a zone. */
export function isWithin(name: string, zoneName: string): boolean {
  return name === zoneName || name.endsWith(`.${zoneName}`) || zoneName === '';
}

export function isRecordType(type: string): type is RecordType {
  return RECORD_TYPES.some((known) => known === type);
}
