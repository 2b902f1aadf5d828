import { type Image, paginateDescribeImages } from '@aws-sdk/client-ec2';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { findImage } from '../image-name.ts';
import type { TemplateImage } from '../launch-template-data.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';

/** Finds the image that the spec names; if several match, the newest. */
export async function loadImage(aws: AwsCloud, wanted: string): Promise<TemplateImage> {
  const name = findImage(wanted);
  switch (name.by) {
    case 'id':
      return newest(wanted, await describe(aws, { ImageIds: [name.id] }));
    case 'parameter':
      return newest(wanted, await describe(aws, { ImageIds: [await parameter(aws, wanted, name.parameter)] }));
    case 'name':
      return newest(
        wanted,
        await describe(aws, {
          Filters: [{ Name: 'name', Values: [name.name] }],
          ...(name.owner === undefined ? {} : { Owners: [name.owner] }),
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

async function parameter(aws: AwsCloud, wanted: string, Name: string): Promise<string> {
  const { Parameter } = await aws.ssm.send(new GetParameterCommand({ Name }));
  if (Parameter?.Value === undefined) throw missing(wanted);
  return Parameter.Value;
}

function newest(wanted: string, images: readonly Image[]): TemplateImage {
  const [image] = images.toSorted((a, b) => (b.CreationDate ?? '').localeCompare(a.CreationDate ?? ''));
  if (image?.ImageId === undefined) throw missing(wanted);
  const { ImageId: id, RootDeviceName: rootDevice } = image;
  if (rootDevice === undefined) throw withoutRootDevice(wanted, id);
  return { id, rootDevice };
}

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
