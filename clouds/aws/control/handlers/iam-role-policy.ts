import { AttachRolePolicyCommand, GetRolePolicyCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { attachedPolicies } from './attached-policies.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { resourceHandler } from './resource-handler.ts';
import { documentOf } from './policy-document.ts';
import { withOthers } from './kept-statements.ts';
import { grantsOf } from './policy-grants.ts';
import { unlessGone } from './unless-gone.ts';

export const iamRolePolicyHandler = resourceHandler<'aws/IamRolePolicy', JsonObject>({
  kind: 'aws/IamRolePolicy',
  noun: 'policy of the role',
  async find({ props }, aws) {
    const question = new GetRolePolicyCommand({ RoleName: props.role, PolicyName: props.name });
    const found = await unlessGone(aws.iam.send(question));
    return found && documentOf(found.PolicyDocument);
  },
  wanted: ({ policy, keepsOthers }, found) => ({
    policy: grantsOf(keepsOthers === true ? withOthers(policy, found) : policy),
  }),
  present: (policy) => ({ policy: grantsOf(policy) }),
  create: ({ props }, aws) => putRolePolicy(props, aws),
  update: ({ props }, found, _changes, aws) =>
    putRolePolicy(props.keepsOthers === true ? { ...props, policy: withOthers(props.policy, found) } : props, aws),
});

async function putRolePolicy(
  { name, role, policy }: { readonly name: string; readonly role: string; readonly policy: JsonObject },
  aws: AwsCloud,
): Promise<void> {
  const PolicyDocument = JSON.stringify(policy);
  await aws.iam.send(new PutRolePolicyCommand({ RoleName: role, PolicyName: name, PolicyDocument }));
}

export const iamRolePolicyAttachmentHandler = resourceHandler<'aws/IamRolePolicyAttachment', { readonly arn: string }>({
  kind: 'aws/IamRolePolicyAttachment',
  noun: 'managed policy of the role',
  async find({ props }, aws) {
    const attached = await attachedPolicies(props.role, aws);
    const arn = attached?.find((one) => one === props.policyArn);
    return arn === undefined ? undefined : { arn };
  },
  wanted: () => ({}),
  present: () => ({}),
  async create({ props }, aws) {
    await aws.iam.send(new AttachRolePolicyCommand({ RoleName: props.role, PolicyArn: props.policyArn }));
  },
});
