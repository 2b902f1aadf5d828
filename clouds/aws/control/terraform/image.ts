import type { Resource } from '@kopsctl/model/terraform/kind.ts';
import { Blocks, expression, type Value } from '@kopsctl/model/terraform/value.ts';
import { findImage } from '../image-name.ts';
import { data } from '@kopsctl/model/terraform/resource.ts';

const dataName = (image: string): string => `image-${image.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`;

/** The id of an image, or a reference to the data source that finds it. */
export function imageId(image: string): Value {
  const found = findImage(image);
  switch (found.by) {
    case 'id':
      return found.id;
    case 'parameter':
      return expression(`data.aws_ssm_parameter.${dataName(image)}.value`);
    case 'name':
      return expression(`data.aws_ami.${dataName(image)}.id`);
  }
}

/** The data source of an image. Rendering calls no API, so the image is looked up when Terraform runs. */
export function imageLookup(image: string): readonly Resource[] {
  const found = findImage(image);
  switch (found.by) {
    case 'id':
      return [];
    case 'parameter':
      return [data('aws_ssm_parameter', dataName(image), { name: found.parameter })];
    case 'name':
      return [
        data('aws_ami', dataName(image), {
          filter: new Blocks([{ name: 'name', values: [found.name] }]),
          include_deprecated: true,
          most_recent: true,
          owners: [found.owner],
        }),
      ];
  }
}
