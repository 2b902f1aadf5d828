import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { block, Expression, expression, type Value } from '@kopsctl/model/terraform/value.ts';
import { objectCondition } from '../object-condition.ts';
import type * as iam from '../kinds/iam.ts';

export const serviceAccount: TerraformKind<iam.ServiceAccountProps> = {
  resources: (name, props) => [
    resource('google_service_account', name, {
      account_id: props.accountId,
      description: props.description,
      display_name: props.displayName,
      project: props.project,
    }),
  ],
  output: (_output, name) => attribute('google_service_account', name, 'email'),
};

/** A member: a binding would take the role from everybody else in the project. */
export const projectMember: TerraformKind<iam.ProjectMemberProps> = {
  resources: (name, props, { link }) => [
    resource('google_project_iam_member', name, {
      member: memberOf(link(props.account)),
      project: props.project,
      role: props.role,
    }),
  ],
  output: noOutput,
};

export const bucketMember: TerraformKind<iam.BucketMemberProps> = {
  resources: (name, props, { link }) => [
    resource('google_storage_bucket_iam_member', name, {
      bucket: props.bucket,
      condition: props.objects && block(objectCondition(props.bucket, props.objects)),
      member: memberOf(link(props.account)),
      role: props.role,
    }),
  ],
  output: noOutput,
};

export const keyMember: TerraformKind<iam.KeyMemberProps> = {
  resources: (name, props, { link }) => [
    resource('google_kms_crypto_key_iam_member', name, {
      crypto_key_id: props.key,
      member: memberOf(link(props.account)),
      role: props.role,
    }),
  ],
  output: noOutput,
};

function memberOf(email: Value): Value {
  if (email instanceof Expression) return expression(`format("serviceAccount:%s", ${email.text})`);
  if (typeof email !== 'string') throw new Error('the account of a role is neither an email nor a reference to one');
  return `serviceAccount:${email}`;
}
