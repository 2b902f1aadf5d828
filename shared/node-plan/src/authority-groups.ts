/**
 * `<cluster>/node-authority.json`, by name of the instance group: the identity that its machines prove, and what they
 * get. The control side computes it. Authorities read it whenever a machine attests, so that a new group needs no new
 * control plane.
 */
export type AuthorityGroups = Readonly<Record<string, GroupRights>>;

export interface GroupRights {
  /** The identity with which its machines act in their cloud; evidence has to name the same. Absent where groups have none. */
  readonly principal?: string;
  /** The secrets of the state store that its machines get, by name. */
  readonly secrets: readonly string[];
  /** The keysets whose certificates its machines get, by name. */
  readonly authorities: readonly string[];
}

/** Its path, relative to the cluster's folder of the state store. */
export const AUTHORITY_GROUPS_FILE = 'node-authority.json';
