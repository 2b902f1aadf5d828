import { createHash } from 'node:crypto';
import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplateVersionsCommand,
  type Filter,
  type LaunchTemplateVersion,
  ModifyLaunchTemplateCommand,
  paginateDescribeLaunchTemplates,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { differences } from '@kopsctl/tasks/differences.ts';
import { isArray } from '@kopsctl/tasks/references.ts';
import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { Tags } from '../../node/tag-list.ts';
import { launchTemplateData, type TemplateImage } from '../launch-template-data.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { amongAllOr, isOwned, ownedFilters } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import { loadImage } from './image.ts';
import { resourceHandler } from './resource-handler.ts';
import { plain } from '../plain.ts';
import { unlessGone } from './unless-gone.ts';

interface FoundTemplate {
  readonly id: string;
  readonly tags: Tags;
  /** The version that new machines are launched from. */
  readonly version: LaunchTemplateVersion | undefined;
  readonly image: TemplateImage;
  readonly isStandIn: boolean;
}

/** The description of versions that we make begins with it. */
const DESCRIPTION = 'kopsctl ';

/** Whether kopsctl made a version, by its description. */
export const isOurVersion = (description: string): boolean => description.startsWith(DESCRIPTION);

/** Versions are immutable, so the hash of the data describes all of it, including fields that AWS does not return. */
const describeVersion = (data: RequestLaunchTemplateData): string =>
  `${DESCRIPTION}${createHash('sha256').update(JSON.stringify(data)).digest('hex')}`;

/** A change creates a new version, which becomes the default; running machines are replaced by a rolling update. */
export const launchTemplateHandler = resourceHandler<'aws/LaunchTemplate', FoundTemplate>({
  kind: 'aws/LaunchTemplate',
  noun: 'launch template',

  async find({ props }, aws) {
    const template = await templateNamed(props.name, aws);
    if (template === undefined) return undefined;
    const [version, image] = await Promise.all([newestVersion(aws, template.id), loadImage(aws, props.image)]);
    return { ...template, version, image, isStandIn: aws.isStandIn };
  },
  wanted: (props, found) => {
    const data = launchTemplateData(props, found);
    return { ...fieldsOf(data), version: describeVersion(data), tags: props.tags };
  },
  present: ({ version, tags, ...found }, props) => {
    const description = version?.VersionDescription ?? '';
    const wanted = launchTemplateData(props, found);
    // Equal descriptions mean equal data, whatever part of it AWS returns.
    const fields =
      description === describeVersion(wanted) ? fieldsOf(wanted) : fieldsOf(version?.LaunchTemplateData ?? {});
    // A version by kops has no such description. If all that AWS returns is as wanted, a new version would change no machine.
    const isTheSame = !isOurVersion(description) && differences(fieldsOf(wanted), fields).length === 0;
    return { ...fields, version: isTheSame ? describeVersion(wanted) : description, tags: kept(props.tags, tags) };
  },
  async create({ props }, aws) {
    const image = await loadImage(aws, props.image);
    const data = launchTemplateData(props, { image, isStandIn: aws.isStandIn });
    await aws.ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: props.name,
        LaunchTemplateData: data,
        VersionDescription: describeVersion(data),
        TagSpecifications: [{ ResourceType: 'launch-template', Tags: tagList(props.tags) }],
      }),
    );
  },
  async update({ props }, { id: LaunchTemplateId, ...found }, changes, aws) {
    if (changes.some(({ path }) => path.startsWith('tags'))) {
      await aws.ec2.send(new CreateTagsCommand({ Resources: [LaunchTemplateId], Tags: tagList(props.tags) }));
    }
    if (changes.every(({ path }) => path.startsWith('tags'))) return;
    const data = launchTemplateData(props, found);
    const { LaunchTemplateVersion: made } = await aws.ec2.send(
      new CreateLaunchTemplateVersionCommand({
        LaunchTemplateId,
        LaunchTemplateData: data,
        VersionDescription: describeVersion(data),
      }),
    );
    await aws.ec2.send(
      new ModifyLaunchTemplateCommand({ LaunchTemplateId, DefaultVersion: String(made?.VersionNumber ?? '') }),
    );
  },
  outputs: ({ id, version }) => ({ id, version: String(version?.VersionNumber ?? '') }),

  async owned(aws) {
    const found = await loadTemplates(aws, ownedFilters(aws));
    return found
      .filter(({ tags }) => isOwned(aws, tags))
      .map(({ id, name }) => ({
        name,
        description: `launch template ${name} (${id})`,
        handle: id,
      }));
  },
  async remove({ handle }, aws) {
    await unlessGone(aws.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId: handle })));
  },
});

interface Template {
  readonly id: string;
  readonly name: string;
  readonly tags: Tags;
}

/** One that is not the cluster's has its name to itself all the same. */
const templateNamed = (wanted: string, aws: AwsCloud): Promise<Template | undefined> =>
  amongAllOr(
    aws,
    () => loadTemplates(aws, ownedFilters(aws)),
    ({ name }) => name === wanted,
    () => loadTemplates(aws, [{ Name: 'launch-template-name', Values: [wanted] }]),
  );

async function loadTemplates(aws: AwsCloud, Filters: Filter[]): Promise<readonly Template[]> {
  const found: Template[] = [];
  for await (const page of paginateDescribeLaunchTemplates({ client: aws.ec2 }, { Filters })) {
    for (const { LaunchTemplateId = '', LaunchTemplateName = '', Tags } of page.LaunchTemplates ?? []) {
      found.push({ id: LaunchTemplateId, name: LaunchTemplateName, tags: tagsOf(Tags) });
    }
  }
  return found;
}

async function newestVersion(aws: AwsCloud, LaunchTemplateId: string): Promise<LaunchTemplateVersion | undefined> {
  const { LaunchTemplateVersions: [version] = [] } = await aws.ec2.send(
    new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: ['$Latest'] }),
  );
  return version;
}

/** The change as shown to the user: each field, but for long texts only the fact that they differ. */
function fieldsOf(data: object): JsonObject {
  // The data of a request or of a response, whose types in the SDK differ.
  const { UserData, TagSpecifications: _tags, ...fields } = data as { UserData?: string; TagSpecifications?: unknown };
  return {
    ...withoutDefaults(plain(fields)),
    ...(UserData === undefined
      ? {}
      : { userData: `sha256:${createHash('sha256').update(UserData).digest('hex').slice(0, 12)}` }),
  };
}

/** EC2's defaults, by the name of the field; kops writes some of them down. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  DisableApiTermination: false,
  HttpEndpoint: 'enabled',
  Ipv6AddressCount: 0,
};

function withoutDefaults<Value extends Json>(value: Value): Value;
function withoutDefaults(value: Json): Json {
  if (isArray(value)) return value.map((one) => withoutDefaults(one));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (DEFAULTS[key] === one ? [] : [[key, withoutDefaults(one)]])),
  );
}
