import type { Resource } from './kind.ts';
import { terraformName } from './terraform-name.ts';
import { type Body, type Expression, expression } from './value.ts';

export const resource = (type: string, name: string, body: Body): Resource => ({
  mode: 'resource',
  type,
  name: terraformName(name),
  body,
});

export const data = (type: string, name: string, body: Body): Resource => ({
  mode: 'data',
  type,
  name: terraformName(name),
  body,
});

/** `aws_vpc.main.id` */
export const attribute = (type: string, name: string, field: string): Expression =>
  expression(`${type}.${terraformName(name)}.${field}`);

/** For kinds without outputs. */
export function noOutput(output: string): never {
  throw new Error(`there is no output ${output}`);
}
