import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  type InstanceProfile,
  paginateListInstanceProfiles,
  RemoveRoleFromInstanceProfileCommand,
  TagInstanceProfileCommand,
} from '@aws-sdk/client-iam';
import { isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import { resourceHandler } from './resource-handler.ts';
import { mayBeOurs } from './iam-names.ts';
import { unlessGone } from './unless-gone.ts';

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
      // A profile has at most one role.
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
