import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { Shared, Tags, Text } from './output.ts';

/** An IAM policy document. */
export type PolicyDocument = JsonObject;

/** Yields `name` and `arn`. */
export interface IamRoleProps {
  readonly name: string;
  /** Who may take the role. */
  readonly trust: PolicyDocument;
  readonly permissionsBoundary?: string;
  readonly tags: Tags;
}

/** The inline policy of a role. */
export interface IamRolePolicyProps {
  readonly name: string;
  readonly role: Text;
  readonly policy: PolicyDocument;
}

/** A managed policy that a role has as well. */
export interface IamRolePolicyAttachmentProps {
  readonly role: Text;
  readonly policyArn: string;
}

/** What gives a role to machines. A shared one is known by its name. Yields `name`. */
export type InstanceProfileProps = { readonly name: string; readonly role: Text; readonly tags: Tags } | Shared;

/** Lets service accounts take roles. Yields `arn`. */
export interface OidcProviderProps {
  readonly url: string;
  readonly clientIds: readonly string[];
  readonly thumbprints: readonly string[];
  readonly tags: Tags;
}
