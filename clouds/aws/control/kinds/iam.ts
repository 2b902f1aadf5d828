import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { Shared, Text } from '@kopsctl/model/output.ts';
import type { Tags } from '../../node/tag-list.ts';

/** An IAM policy document. */
export type PolicyDocument = JsonObject;

/** Yields `name` and `arn`. */
export interface IamRoleProps {
  readonly name: string;
  /** The trust policy. */
  readonly trust: PolicyDocument;
  readonly permissionsBoundary?: string;
  readonly tags: Tags;
  /** The inline policies, by name, that the spec may give the role and does not. Other names are left alone. */
  readonly unwantedPolicies?: readonly string[];
  /** The ARNs of all its managed policies: any other is detached. Absent: whatever is attached stays. */
  readonly managedPolicies?: readonly string[];
}

/** The inline policy of a role. */
export interface IamRolePolicyProps {
  readonly name: string;
  readonly role: Text;
  readonly policy: PolicyDocument;
  /** Statements of other programs in the policy stay in it. */
  readonly keepsOthers?: true;
}

/** A managed policy attached to a role. */
export interface IamRolePolicyAttachmentProps {
  readonly role: Text;
  readonly policyArn: string;
}

/** The instance profile that gives a role to machines. A shared profile is given by name. Yields `name`. */
export type InstanceProfileProps = { readonly name: string; readonly role: Text; readonly tags: Tags } | Shared;

/** Lets service accounts assume roles. Yields `arn`. */
export interface OidcProviderProps {
  readonly url: string;
  readonly clientIds: readonly string[];
  readonly thumbprints: readonly string[];
  readonly tags: Tags;
}
