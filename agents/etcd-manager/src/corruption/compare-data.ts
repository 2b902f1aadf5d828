import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';

/** A voter, and the hash of its keys at a revision that all voters that answer have. */
export interface DataView {
  readonly id: string;
  readonly member: string;
  /** Absent if it did not answer. */
  readonly data?: {
    /** Its latest revision. */
    readonly revision: number;
    readonly compactRevision: number;
    readonly hash: number;
  };
}

/** What the data of the voters says about each other. */
export type Comparison =
  /** Every voter answered, and all hold the same. */
  | { readonly verdict: 'same' }
  /** A majority of all voters holds the same, and these voters do not. */
  | { readonly verdict: 'corrupt'; readonly ids: readonly string[] }
  /** There is no contradiction, but not every voter answered. */
  | { readonly verdict: 'incomplete' }
  /** Members contradict each other, or there is nothing to compare with, so nobody can tell whose data is right. */
  | { readonly verdict: 'unclear'; readonly summary: string };

/**
 * Compares the data of all voters. What most of them hold is right: a raft log is the same on a majority. Nothing else
 * counts, neither who leads nor whom etcd has named, because etcd up to 3.4 takes the leader's data for right.
 *
 * @param isFrozen an alarm lets nothing be written, so members that differ in their latest revision differ in their data.
 * Otherwise only hashes of members that have compacted equally far can be compared.
 */
export function compareData(voters: readonly DataView[], isFrozen: boolean): Comparison {
  if (voters.length === 1 && isFrozen)
    return { verdict: 'unclear', summary: 'there is no other member to compare the data with' };
  const groups = Map.groupBy(voters, ({ data }) => data && fingerprint(data, isFrozen));
  const silent = groups.get(undefined) ?? [];
  groups.delete(undefined);
  const [largest = [], ...others] = [...groups.values()].toSorted((left, right) => right.length - left.length);
  if (others.length === 0) return { verdict: silent.length === 0 ? 'same' : 'incomplete' };
  const isMajority = largest.length >= quorumOf(voters.length);
  const differing = others.flat().filter((one) => isFrozen || isComparable(one, largest));
  if (isMajority && differing.length > 0) return { verdict: 'corrupt', ids: differing.map(({ id }) => id) };
  const contradicts = isFrozen || voters.some((one) => voters.some((other) => contradict(one, other)));
  if (!contradicts) return { verdict: 'incomplete' };
  const said = [largest, ...others].map((group) => group.map(({ member }) => member).join(' and '));
  const missing = silent.length === 0 ? '' : `; ${silent.map(({ member }) => member).join(', ')} did not answer`;
  return { verdict: 'unclear', summary: `the data of ${said.join(', of ')} differs, and no majority agrees${missing}` };
}

function fingerprint(data: NonNullable<DataView['data']>, isFrozen: boolean): string {
  const { revision, compactRevision, hash } = data;
  return [compactRevision, hash, ...(isFrozen ? [revision] : [])].join(' ');
}

function isComparable(one: DataView, [other]: readonly DataView[]): boolean {
  return one.data?.compactRevision === other?.data?.compactRevision;
}

function contradict({ data: one }: DataView, { data: other }: DataView): boolean {
  if (one === undefined || other === undefined) return false;
  return one.compactRevision === other.compactRevision && one.hash !== other.hash;
}
