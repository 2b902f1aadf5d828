import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import type * as iam from '../kinds/iam.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';

export const iamRole: TerraformKind<iam.IamRoleProps> = {
  resources: (name, props, { json }) => [
    resource('aws_iam_role', name, {
      assume_role_policy: json('aws_iam_role', name, 'policy', props.trust),
      name: props.name,
      permissions_boundary: props.permissionsBoundary,
      tags: props.tags,
    }),
  ],
  output: (output, name) => attribute('aws_iam_role', name, output),
};

export const iamRolePolicy: TerraformKind<iam.IamRolePolicyProps> = {
  resources: (name, props, { json, link }) => [
    resource('aws_iam_role_policy', name, {
      name: props.name,
      policy: json('aws_iam_role_policy', name, 'policy', props.policy),
      role: link(props.role),
    }),
  ],
  output: noOutput,
};

export const iamRolePolicyAttachment: TerraformKind<iam.IamRolePolicyAttachmentProps> = {
  resources: (name, props, { link }) => [
    resource('aws_iam_role_policy_attachment', name, { policy_arn: props.policyArn, role: link(props.role) }),
  ],
  output: noOutput,
};

export const instanceProfile: TerraformKind<iam.InstanceProfileProps> = {
  resources: (name, props, { link }) =>
    'sharedId' in props
      ? []
      : [resource('aws_iam_instance_profile', name, { name: props.name, role: link(props.role), tags: props.tags })],
  // The id of an instance profile is its name.
  output: (_output, name, props) =>
    'sharedId' in props ? props.sharedId : attribute('aws_iam_instance_profile', name, 'id'),
};

export const oidcProvider: TerraformKind<iam.OidcProviderProps> = {
  resources: (name, props) => [
    resource('aws_iam_openid_connect_provider', name, {
      client_id_list: props.clientIds,
      tags: props.tags,
      thumbprint_list: props.thumbprints,
      url: props.url,
    }),
  ],
  output: (_output, name) => attribute('aws_iam_openid_connect_provider', name, 'arn'),
};
