/** A time that grows with every write, also where clocks do not: milliseconds, then a count within one of them. */
export interface Stamp {
  readonly ms: number;
  readonly count: number;
}

/** A name and where it leads, as one owner says. Several owners of one name are all meant. */
export interface DnsName {
  /** Without a dot at its end, in lower case, e.g. `api.internal.demo.k8s.local`. */
  readonly name: string;
  /** `A`, `AAAA` or another type of DNS. */
  readonly type: string;
  readonly addresses: readonly string[];
}

/** A name as peers hand it on: who says so, and when. Without addresses where the owner has taken it back. */
export interface GossipRecord extends DnsName {
  /** The name of the peer that wrote it; nobody else ever does. */
  readonly owner: string;
  readonly stamp: Stamp;
  readonly isDeleted: boolean;
}

/** What makes two records the same one. */
export function keyOf(record: Pick<GossipRecord, 'name' | 'type' | 'owner'>): string {
  return `${record.owner} ${record.type} ${record.name}`;
}

/**
 * Whether one record takes the place of another of the same key. The later write does; of two with one stamp, which
 * only two machines with one name can make, all peers take the same one.
 */
export function isNewer(record: GossipRecord, than: GossipRecord): boolean {
  if (record.stamp.ms !== than.stamp.ms) return record.stamp.ms > than.stamp.ms;
  if (record.stamp.count !== than.stamp.count) return record.stamp.count > than.stamp.count;
  return contents(record) > contents(than);
}

function contents({ isDeleted, addresses }: GossipRecord): string {
  return `${isDeleted ? 1 : 0}${addresses.join(',')}`;
}
