/** A time that grows with every write, even if the clock does not: milliseconds, then a counter within one of them. */
export interface Stamp {
  readonly ms: number;
  readonly count: number;
}

/**
 * A DNS name with the addresses that one owner publishes. If several owners publish a name, the addresses of all of
 * them count.
 */
export interface DnsName {
  /** Lower case, without a trailing dot, e.g. `api.internal.demo.k8s.local`. */
  readonly name: string;
  /** A DNS record type, such as `A` or `AAAA`. */
  readonly type: string;
  readonly addresses: readonly string[];
}

/** A name with its owner and the time of writing. Without addresses if the owner has deleted it. */
export interface GossipRecord extends DnsName {
  /** The name of the peer that wrote it. No other peer writes it. */
  readonly owner: string;
  readonly stamp: Stamp;
  readonly isDeleted: boolean;
}

/** A record that counts. */
export interface RecordInForce extends GossipRecord {
  /** The roles that the signature proves for the owner; absent for a record without one. */
  readonly roles?: readonly string[];
  /** Whether the owner is a member. A signed record counts even if it is not. */
  readonly isOwnerPresent: boolean;
}

/** The identity of a record. */
export function keyOf(record: Pick<GossipRecord, 'name' | 'type' | 'owner'>): string {
  return `${record.owner} ${record.type} ${record.name}`;
}

/**
 * Whether a record replaces another one with the same key. The later write wins. Two machines with one name can produce
 * equal stamps; then the contents decide, so that all peers choose the same record.
 */
export function isNewer(record: GossipRecord, than: GossipRecord): boolean {
  if (record.stamp.ms !== than.stamp.ms) return record.stamp.ms > than.stamp.ms;
  if (record.stamp.count !== than.stamp.count) return record.stamp.count > than.stamp.count;
  return contents(record) > contents(than);
}

function contents({ isDeleted, addresses }: GossipRecord): string {
  return `${isDeleted ? 1 : 0}${addresses.join(',')}`;
}
