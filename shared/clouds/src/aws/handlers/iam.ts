import {
  AddRoleToInstanceProfileCommand,
  AttachRolePolicyCommand,
  CreateInstanceProfileCommand,
  CreateOpenIDConnectProviderCommand,
  CreateRoleCommand,
  DeleteInstanceProfileCommand,
  DeleteOpenIDConnectProviderCommand,
  DeleteRoleCommand,
  DeleteRolePermissionsBoundaryCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  GetInstanceProfileCommand,
  GetOpenIDConnectProviderCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  type InstanceProfile,
  ListOpenIDConnectProvidersCommand,
  ListRoleTagsCommand,
  paginateListAttachedRolePolicies,
  paginateListInstanceProfiles,
  paginateListRolePolicies,
  paginateListRoles,
  PutRolePermissionsBoundaryCommand,
  PutRolePolicyCommand,
  RemoveRoleFromInstanceProfileCommand,
  type Role,
  TagInstanceProfileCommand,
  TagOpenIDConnectProviderCommand,
  TagRoleCommand,
  UpdateAssumeRolePolicyCommand,
  UpdateOpenIDConnectProviderThumbprintCommand,
} from '@aws-sdk/client-iam';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { Tags } from '../kinds/output.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../tag-list.ts';
import { resourceHandler } from './resource-handler.ts';

/** IAM gives policies out as they stand in a URL. */
const documentOf = (text: string | undefined): JsonObject => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a policy document is a JSON object
  return JSON.parse(decodeURIComponent(text ?? '%7B%7D')) as JsonObject;
};

async function unlessGone<Result>(question: Promise<Result>): Promise<Result | undefined> {
  try {
    return await question;
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}

/** IAM lists no tags, so that each name that may be of this cluster is asked for its own: those that hold it, or end in the hash of a long one. */
const mayBeOurs = ({ clusterName }: AwsCloud, name: string): boolean =>
  name.includes(clusterName) || /-[0-9a-v]{6}$/.test(name);

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
  /** With everything that is attached to it, which no other role has. */
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

export const iamRolePolicyHandler = resourceHandler<'aws/IamRolePolicy', JsonObject>({
  kind: 'aws/IamRolePolicy',
  noun: 'policy of the role',
  async find({ props }, aws) {
    const question = new GetRolePolicyCommand({ RoleName: props.role, PolicyName: props.name });
    const found = await unlessGone(aws.iam.send(question));
    return found && documentOf(found.PolicyDocument);
  },
  wanted: ({ policy }) => ({ policy }),
  present: (policy) => ({ policy }),
  create: ({ props }, aws) => putRolePolicy(props, aws),
  update: ({ props }, _found, _changes, aws) => putRolePolicy(props, aws),
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
    const attached = await unlessGone(
      (async () => {
        const arns: string[] = [];
        for await (const page of paginateListAttachedRolePolicies({ client: aws.iam }, { RoleName: props.role })) {
          arns.push(...(page.AttachedPolicies ?? []).flatMap(({ PolicyArn }) => PolicyArn ?? []));
        }
        return arns;
      })(),
    );
    const arn = attached?.find((one) => one === props.policyArn);
    return arn === undefined ? undefined : { arn };
  },
  wanted: () => ({}),
  present: () => ({}),
  async create({ props }, aws) {
    await aws.iam.send(new AttachRolePolicyCommand({ RoleName: props.role, PolicyArn: props.policyArn }));
  },
});

export const instanceProfileHandler = resourceHandler<'aws/InstanceProfile', InstanceProfile>({
  kind: 'aws/InstanceProfile',
  noun: 'instance profile',
  async find({ props }, aws) {
    const InstanceProfileName = 'sharedId' in props ? props.sharedId : props.name;
    const found = await unlessGone(aws.iam.send(new GetInstanceProfileCommand({ InstanceProfileName })));
    if (found === undefined && 'sharedId' in props) throw new Error(`there is no instance profile ${props.sharedId}`);
    return found?.InstanceProfile;
  },
  isMadeBare: true,
  wanted: (props) => ('sharedId' in props ? {} : { role: props.role, tags: props.tags }),
  present: ({ Roles, Tags }, props) =>
    'sharedId' in props ? {} : { role: Roles?.[0]?.RoleName ?? '', tags: kept(props.tags, tagsOf(Tags)) },
  async create({ props }, aws) {
    if ('sharedId' in props) return;
    await aws.iam.send(
      new CreateInstanceProfileCommand({ InstanceProfileName: props.name, Tags: tagList(props.tags) }),
    );
  },
  async update({ props }, { Roles = [] }, changes, aws) {
    if ('sharedId' in props) return;
    const InstanceProfileName = props.name;
    if (changes.some(({ path }) => path === 'role')) {
      // A profile holds one role.
      for (const { RoleName } of Roles) {
        await aws.iam.send(new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName, RoleName }));
      }
      await aws.iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName: props.role }));
    }
    if (changes.some(({ path }) => path.startsWith('tags'))) {
      await aws.iam.send(new TagInstanceProfileCommand({ InstanceProfileName, Tags: tagList(props.tags) }));
    }
  },
  outputs: ({ InstanceProfileName = '' }) => ({ name: InstanceProfileName }),
  plannedOutputs: (props) => ({ name: 'sharedId' in props ? props.sharedId : props.name }),
  async owned(aws) {
    const names: string[] = [];
    for await (const page of paginateListInstanceProfiles({ client: aws.iam }, {})) {
      for (const { InstanceProfileName: name = '' } of page.InstanceProfiles ?? []) {
        if (mayBeOurs(aws, name)) names.push(name);
      }
    }
    const tagged = await Promise.all(
      names.map(async (InstanceProfileName) => {
        const reply = await unlessGone(aws.iam.send(new GetInstanceProfileCommand({ InstanceProfileName })));
        return isOwned(aws, tagsOf(reply?.InstanceProfile?.Tags)) ? [InstanceProfileName] : [];
      }),
    );
    return tagged.flat().map((name) => ({ name, description: `instance profile ${name}`, handle: name }));
  },
  async remove({ name: InstanceProfileName }, aws) {
    const found = await unlessGone(aws.iam.send(new GetInstanceProfileCommand({ InstanceProfileName })));
    for (const { RoleName } of found?.InstanceProfile?.Roles ?? []) {
      await aws.iam.send(new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName, RoleName }));
    }
    await unlessGone(aws.iam.send(new DeleteInstanceProfileCommand({ InstanceProfileName })));
  },
});

interface FoundProvider {
  readonly arn: string;
  readonly clientIds: readonly string[];
  readonly thumbprints: readonly string[];
  readonly tags: Tags;
}

async function listProviders(aws: AwsCloud): Promise<readonly string[]> {
  const { OpenIDConnectProviderList = [] } = await aws.iam.send(new ListOpenIDConnectProvidersCommand({}));
  return OpenIDConnectProviderList.flatMap(({ Arn }) => Arn ?? []);
}

async function loadProvider(aws: AwsCloud, arn: string): Promise<FoundProvider | undefined> {
  const question = new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: arn });
  const found = await unlessGone(aws.iam.send(question));
  return (
    found && {
      arn,
      clientIds: (found.ClientIDList ?? []).toSorted(),
      thumbprints: (found.ThumbprintList ?? []).toSorted(),
      tags: tagsOf(found.Tags),
    }
  );
}

export const oidcProviderHandler = resourceHandler<'aws/OidcProvider', FoundProvider>({
  kind: 'aws/OidcProvider',
  noun: 'OIDC provider',
  async find({ props }, aws) {
    const issuer = props.url.replace(/^https:\/\//, '');
    const arn = (await listProviders(aws)).find((one) => one.split(':oidc-provider/')[1] === issuer);
    return arn === undefined ? undefined : loadProvider(aws, arn);
  },
  fixed: ['clientIds'],
  wanted: ({ clientIds, thumbprints, tags }) => ({
    clientIds: clientIds.toSorted(),
    thumbprints: thumbprints.toSorted(),
    tags,
  }),
  present: ({ clientIds, thumbprints, tags }, props) => ({ clientIds, thumbprints, tags: kept(props.tags, tags) }),
  async create({ props }, aws) {
    await aws.iam.send(
      new CreateOpenIDConnectProviderCommand({
        Url: props.url,
        ClientIDList: [...props.clientIds],
        ThumbprintList: [...props.thumbprints],
        Tags: tagList(props.tags),
      }),
    );
  },
  async update({ props }, { arn: OpenIDConnectProviderArn }, changes, aws) {
    if (changes.some(({ path }) => path.startsWith('thumbprints'))) {
      const ThumbprintList = [...props.thumbprints];
      await aws.iam.send(
        new UpdateOpenIDConnectProviderThumbprintCommand({ OpenIDConnectProviderArn, ThumbprintList }),
      );
    }
    if (changes.some(({ path }) => path.startsWith('tags'))) {
      await aws.iam.send(new TagOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, Tags: tagList(props.tags) }));
    }
  },
  outputs: ({ arn }) => ({ arn }),
  async owned(aws) {
    const found = await Promise.all((await listProviders(aws)).map(async (arn) => loadProvider(aws, arn)));
    return found
      .filter((provider) => provider !== undefined)
      .filter(({ tags }) => isOwned(aws, tags))
      .map(({ arn, tags }) => ({
        name: tags['Name'] ?? arn,
        description: `OIDC provider ${arn}`,
        handle: arn,
      }));
  },
  remove: async ({ handle }, aws) => {
    await unlessGone(aws.iam.send(new DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: handle })));
  },
});
