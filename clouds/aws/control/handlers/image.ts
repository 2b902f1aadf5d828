import { type Image, paginateDescribeImages } from '@aws-sdk/client-ec2';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { findImage } from '../image-name.ts';
import type { TemplateImage } from '../launch-template-data.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';

/** Finds the image that the spec names; if several match, the newest. @throws PermanentError if it cannot be used */
export async function loadImage(aws: AwsCloud, wanted: string): Promise<TemplateImage> {
  const { ImageId: id, RootDeviceName: rootDevice } = (await describeImage(aws, wanted)) ?? {};
  if (id === undefined) throw missing(wanted);
  if (rootDevice === undefined) throw withoutRootDevice(wanted, id);
  return { id, rootDevice };
}

/** What EC2 knows of the image that the spec names: the newest, if several match; undefined if there is none. */
export async function describeImage(aws: AwsCloud, wanted: string): Promise<Image | undefined> {
  const name = findImage(wanted);
  switch (name.by) {
    case 'id':
      return newest(await describe(aws, { ImageIds: [name.id] }));
    case 'parameter': {
      const id = await parameter(aws, name.parameter);
      return id === undefined ? undefined : newest(await describe(aws, { ImageIds: [id] }));
    }
    case 'name':
      return newest(
        await describe(aws, {
          Filters: [{ Name: 'name', Values: [name.name] }],
          Owners: [name.owner],
          // Public images are deprecated after two years: they are listed only on request, and can be used as before.
          IncludeDeprecated: true,
        }),
      );
  }
}

async function describe(aws: AwsCloud, input: Parameters<typeof paginateDescribeImages>[1]): Promise<readonly Image[]> {
  const found: Image[] = [];
  try {
    for await (const page of paginateDescribeImages({ client: aws.ec2 }, input)) found.push(...(page.Images ?? []));
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown;
  }
  return found;
}

async function parameter(aws: AwsCloud, Name: string): Promise<string | undefined> {
  try {
    const { Parameter } = await aws.ssm.send(new GetParameterCommand({ Name }));
    return Parameter?.Value;
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}

const newest = (images: readonly Image[]): Image | undefined =>
  images.toSorted((a, b) => (b.CreationDate ?? '').localeCompare(a.CreationDate ?? ''))[0];

const missing = (wanted: string) =>
  new PermanentError({
    what: `find the image ${wanted}`,
    why: 'there is no such image that this account can use in this region',
    next: 'set spec.image of the instance group to an image id (ami-…), ssm:PARAMETER, or OWNER/NAME',
  });

const withoutRootDevice = (wanted: string, id: string) =>
  new PermanentError({
    what: `use the image ${wanted} (${id})`,
    why: 'it names no root device',
    next: 'set spec.image of the instance group to an image whose root device is a volume',
  });
