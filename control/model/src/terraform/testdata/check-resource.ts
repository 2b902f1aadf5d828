import type { Resource } from '../kind.ts';
import { Blocks, type Body, Expression, type Value } from '../value.ts';
import type { ArgumentSchema, BlockSchema, ProviderSchema } from './provider-schema.ts';

/** Arguments that Terraform itself gives to every resource. */
const META = ['count', 'lifecycle', 'provider', 'depends_on'];

/** What Terraform's provider would refuse of a resource. */
export function faultsOf({ resources }: ProviderSchema, { mode, type, name, body }: Resource): readonly string[] {
  const known = mode === 'data' ? `data.${type}` : type;
  const schema = resources[known];
  if (schema === undefined) return [`the provider has no ${known}`];
  const own = Object.fromEntries(Object.entries(body).filter(([argument]) => !META.includes(argument)));
  return [...ofBody(schema, own, `${type}.${name}`)];
}

function* ofBody(schema: BlockSchema, body: Body, path: string): Iterable<string> {
  for (const [name, { isRequired }] of Object.entries(schema)) {
    if (isRequired === true && (body[name] === undefined || body[name] === null)) yield `${path} lacks ${name}`;
  }
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    const known = schema[name];
    if (known === undefined) yield `${path} has no argument ${name}`;
    else yield* ofArgument(known, value, `${path}.${name}`);
  }
}

function* ofArgument({ type, block }: ArgumentSchema, value: Value, path: string): Iterable<string> {
  if (value instanceof Blocks || block !== undefined) {
    if (!(value instanceof Blocks) || block === undefined) yield `${path} is ${block ? '' : 'not '}a block`;
    else for (const body of value.bodies) yield* ofBody(block, body, path);
    return;
  }
  if (!(value instanceof Expression) && !fits(type ?? '', value)) yield `${path} is not a ${type}`;
}

function fits(type: string, value: Value): boolean {
  if (type === 'stringList') return Array.isArray(value) && value.every(isText);
  if (type === 'stringMap') {
    return typeof value === 'object' && !Array.isArray(value) && Object.values(value ?? {}).every(isText);
  }
  // Terraform converts between these, and kops writes some of them so.
  if (type === 'string' && typeof value === 'boolean') return true;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return true;
  return typeof value === type;
}

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof Expression;
