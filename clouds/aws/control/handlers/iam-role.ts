import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePermissionsBoundaryCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  GetRoleCommand,
  ListRoleTagsCommand,
  paginateListAttachedRolePolicies,
  paginateListRolePolicies,
  paginateListRoles,
  PutRolePermissionsBoundaryCommand,
  type Role,
  TagRoleCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import { resourceHandler } from './resource-handler.ts';
import { mayBeOurs } from './iam-names.ts';
import { documentOf } from './policy-document.ts';
import { unlessGone } from './unless-gone.ts';

export const iamRoleHandler = resourceHandler<'aws/IamRole', Role>({
  kind: 'aws/IamRole',
  noun: 'role',
  find: async ({ props }, aws) => (await unlessGone(aws.iam.send(new GetRoleCommand({ RoleName: props.name }))))?.Role,
  wanted: ({ trust, permissionsBoundary, tags }) => ({
    trust,
    ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
    tags,
  }),
  present: ({ AssumeRolePolicyDocument, PermissionsBoundary, Tags }, props) => ({
    trust: documentOf(AssumeRolePolicyDocument),
    ...(PermissionsBoundary?.PermissionsBoundaryArn === undefined
      ? {}
      : { permissionsBoundary: PermissionsBoundary.PermissionsBoundaryArn }),
    tags: kept(props.tags, tagsOf(Tags)),
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
  async update({ props: { name: RoleName, trust, permissionsBoundary, tags } }, _found, changes, aws) {
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
  },
  outputs: ({ RoleName = '', Arn = '' }) => ({ name: RoleName, arn: Arn }),
  plannedOutputs: ({ name }) => ({ name }),
  async owned(aws) {
    const names: string[] = [];
    for await (const page of paginateListRoles({ client: aws.iam }, {})) {
      for (const { RoleName = '' } of page.Roles ?? []) if (mayBeOurs(aws, RoleName)) names.push(RoleName);
    }
    const tagged = await Promise.all(
      names.map(async (RoleName) => {
        const reply = await unlessGone(aws.iam.send(new ListRoleTagsCommand({ RoleName })));
        return isOwned(aws, tagsOf(reply?.Tags)) ? [RoleName] : [];
      }),
    );
    return tagged.flat().map((name) => ({ name, description: `role ${name}`, handle: name }));
  },
  /** Deletes the role with everything that is attached to it. */
  async remove({ name: RoleName }, aws) {
    for await (const page of paginateListAttachedRolePolicies({ client: aws.iam }, { RoleName })) {
      for (const { PolicyArn } of page.AttachedPolicies ?? []) {
        await aws.iam.send(new DetachRolePolicyCommand({ RoleName, PolicyArn }));
      }
    }
    for await (const page of paginateListRolePolicies({ client: aws.iam }, { RoleName })) {
      for (const PolicyName of page.PolicyNames ?? []) {
        await aws.iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
      }
    }
    await unlessGone(aws.iam.send(new DeleteRoleCommand({ RoleName })));
  },
});
