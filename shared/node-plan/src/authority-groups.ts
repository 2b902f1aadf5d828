/**
 * `<cluster>/node-authority.json`, by name of the instance group: what its machines prove themselves as, and what they
 * get. The control side computes it. Authorities read it whenever a machine attests, so that a new group needs no new
 * control plane.
 */
export type AuthorityGroups = Readonly<Record<string, GroupRights>>;

export interface GroupRights {
  /** As whom its machines act in their cloud; evidence has to say the same. Absent where groups have no such names. */
  readonly principal?: string;
  /** The secrets of the state store that its machines get, by name. */
  readonly secrets: readonly string[];
  /** The keysets whose certificates its machines get, by name. */
  readonly authorities: readonly string[];
}

/** Where it lies, relative to the cluster's folder of the state store. */
export const AUTHORITY_GROUPS_FILE = 'node-authority.json';
