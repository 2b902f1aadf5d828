import {
  AttachRolePolicyCommand,
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePermissionsBoundaryCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  paginateListRolePolicies,
  paginateListRoles,
  PutRolePermissionsBoundaryCommand,
  type Role,
  TagRoleCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam';
import type { IamRoleProps } from '../kinds/iam.ts';
import { attachedPolicies } from './attached-policies.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import { resourceHandler } from './resource-handler.ts';
import { mayBeOurs } from './iam-names.ts';
import { documentOf } from './policy-document.ts';
import { unlessGone } from './unless-gone.ts';

interface FoundRole {
  readonly role: Role;
  /** What it has and the spec no longer gives it. */
  readonly revoked: { readonly inlinePolicies: readonly string[]; readonly managedPolicies: readonly string[] };
}

const roleNamed = async (RoleName: string, aws: AwsCloud): Promise<Role | undefined> =>
  (await unlessGone(aws.iam.send(new GetRoleCommand({ RoleName }))))?.Role;

export const iamRoleHandler = resourceHandler<'aws/IamRole', FoundRole>({
  kind: 'aws/IamRole',
  noun: 'role',
  async find({ props }, aws) {
    const role = await roleNamed(props.name, aws);
    return role && { role, revoked: await revokedOf(props, aws) };
  },
  wanted: ({ trust, permissionsBoundary, tags }) => ({
    trust,
    ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
    tags,
    revoked: { inlinePolicies: [], managedPolicies: [] },
  }),
  present: ({ role: { AssumeRolePolicyDocument, PermissionsBoundary, Tags }, revoked }, props) => ({
    trust: documentOf(AssumeRolePolicyDocument),
    ...(PermissionsBoundary?.PermissionsBoundaryArn === undefined
      ? {}
      : { permissionsBoundary: PermissionsBoundary.PermissionsBoundaryArn }),
    tags: kept(props.tags, tagsOf(Tags)),
    revoked,
  }),
  async create({ props: { name, trust, permissionsBoundary, tags } }, aws) {
    await aws.iam.send(
      new CreateRoleCommand({
        RoleName: name,
        AssumeRolePolicyDocument: JSON.stringify(trust),
        ...(permissionsBoundary === undefined ? {} : { PermissionsBoundary: permissionsBoundary }),
        Tags: tagList(tags),
      }),
    );
  },
  async update({ props }, { revoked }, changes, aws) {
    const { name: RoleName, trust, permissionsBoundary, tags } = props;
    const changed = (path: string) => changes.some((change) => change.path.split(/[.[]/)[0] === path);
    if (changed('trust')) {
      await aws.iam.send(new UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument: JSON.stringify(trust) }));
    }
    if (changed('permissionsBoundary')) {
      await (permissionsBoundary === undefined
        ? aws.iam.send(new DeleteRolePermissionsBoundaryCommand({ RoleName }))
        : aws.iam.send(new PutRolePermissionsBoundaryCommand({ RoleName, PermissionsBoundary: permissionsBoundary })));
    }
    if (changed('tags')) await aws.iam.send(new TagRoleCommand({ RoleName, Tags: tagList(tags) }));
    if (changed('revoked')) await revoke(props, revoked, aws);
  },
  outputs: ({ role: { RoleName = '', Arn = '' } }) => ({ name: RoleName, arn: Arn }),
  plannedOutputs: ({ name }) => ({ name }),
  async owned(aws) {
    const names: string[] = [];
    for await (const page of paginateListRoles({ client: aws.iam }, {})) {
      for (const { RoleName = '' } of page.Roles ?? []) if (mayBeOurs(aws, RoleName)) names.push(RoleName);
    }
    const tagged = await Promise.all(
      names.map(async (RoleName) => {
        return isOwned(aws, tagsOf((await roleNamed(RoleName, aws))?.Tags)) ? [RoleName] : [];
      }),
    );
    return tagged.flat().map((name) => ({ name, description: `role ${name}`, handle: name }));
  },
  /** Deletes the role with everything that is attached to it. */
  async remove({ name: RoleName }, aws) {
    for (const PolicyArn of (await attachedPolicies(RoleName, aws)) ?? []) {
      await aws.iam.send(new DetachRolePolicyCommand({ RoleName, PolicyArn }));
    }
    for await (const page of paginateListRolePolicies({ client: aws.iam }, { RoleName })) {
      for (const PolicyName of page.PolicyNames ?? []) {
        await aws.iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
      }
    }
    await unlessGone(aws.iam.send(new DeleteRoleCommand({ RoleName })));
  },
});

async function revokedOf(
  { name: RoleName, unwantedPolicies = [], managedPolicies }: IamRoleProps,
  aws: AwsCloud,
): Promise<FoundRole['revoked']> {
  const isThere = async (PolicyName: string) =>
    (await unlessGone(aws.iam.send(new GetRolePolicyCommand({ RoleName, PolicyName })))) !== undefined;
  const [inline, attached = []] = await Promise.all([
    Promise.all(unwantedPolicies.map(async (policy) => ((await isThere(policy)) ? [policy] : []))),
    managedPolicies === undefined ? [] : attachedPolicies(RoleName, aws),
  ]);
  return {
    inlinePolicies: inline.flat(),
    managedPolicies: attached.filter((arn) => managedPolicies?.includes(arn) === false).toSorted(),
  };
}

/** What takes the place of managed policies is attached first: machines keep their rights if AWS refuses it. */
async function revoke(
  { name: RoleName, managedPolicies = [] }: IamRoleProps,
  revoked: FoundRole['revoked'],
  aws: AwsCloud,
): Promise<void> {
  for (const PolicyArn of managedPolicies) {
    await aws.iam.send(new AttachRolePolicyCommand({ RoleName, PolicyArn }));
  }
  for (const PolicyArn of revoked.managedPolicies) {
    await unlessGone(aws.iam.send(new DetachRolePolicyCommand({ RoleName, PolicyArn })));
  }
  for (const PolicyName of revoked.inlinePolicies) {
    await unlessGone(aws.iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName })));
  }
}
