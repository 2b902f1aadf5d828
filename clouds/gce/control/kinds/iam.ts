import type { Text } from '@kopsctl/model/output.ts';

/** The account that machines of a role act as. */
export interface ServiceAccountProps {
  readonly project: string;
  readonly accountId: string;
  readonly displayName: string;
  readonly description: string;
}

/**
 * One account's role in the project. Only this member is added or removed: everyone else keeps the role. (An
 * authoritative binding would take it from all other holders, such as GKE's own agent.)
 */
export interface ProjectMemberProps {
  readonly project: string;
  readonly role: string;
  /** The email of the account. */
  readonly account: Text;
}

export interface BucketMemberProps {
  readonly bucket: string;
  readonly role: string;
  readonly account: Text;
  /** The objects to which the role is limited, by the beginnings of their names. Absent: the whole bucket. */
  readonly objects?: { readonly title: string; readonly prefixes: readonly string[] };
}

export interface KeyMemberProps {
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…` */
  readonly key: string;
  readonly role: string;
  readonly account: Text;
}
