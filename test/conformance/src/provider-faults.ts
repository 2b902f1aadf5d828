import { faultsOf } from '@kopsctl/model/terraform/testdata/check-resource.ts';
import type { BlockSchema, ProviderSchema } from '@kopsctl/model/terraform/testdata/provider-schema.ts';
import { Blocks, type Body, Expression, type Value } from '@kopsctl/model/terraform/value.ts';

/** A configuration as hcl2json prints it: resources by type and name, each in a list of one. */
export interface ParsedTerraform {
  readonly resource?: Resources;
  readonly data?: Resources;
}

type Resources = Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>;
type Json = Readonly<Record<string, unknown>>;

/** What Terraform's provider would refuse of a configuration, as it was written out. */
export function providerFaults(
  schema: ProviderSchema,
  { resource = {}, data = {} }: ParsedTerraform,
): readonly string[] {
  const faultsIn = (mode: 'resource' | 'data', resources: Resources) =>
    Object.entries(resources).flatMap(([type, named]) =>
      Object.entries(named).flatMap(([name, bodies]) =>
        bodies.flatMap((body) => {
          const known = schema.resources[mode === 'data' ? `data.${type}` : type] ?? {};
          return faultsOf(schema, { mode, type, name, body: bodyOf(known, body) });
        }),
      ),
    );
  return [...faultsIn('resource', resource), ...faultsIn('data', data)];
}

/** JSON has blocks and lists of objects alike: what the provider says is a block is taken for one. */
function bodyOf(schema: BlockSchema, body: Json): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, Value | undefined] => {
      const inner = schema[name]?.block;
      if (inner === undefined || !isListOfObjects(value)) return [name, valueOf(value)];
      return [name, new Blocks(value.map((one) => bodyOf(inner, one)))];
    }),
  );
}

const isListOfObjects = (value: unknown): value is readonly Json[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);

function valueOf(value: unknown): Value | undefined {
  if (typeof value === 'string') return /^\$\{.*\}$/s.test(value) ? new Expression(value) : value;
  if (Array.isArray(value)) return value.flatMap((one) => valueOf(one) ?? []);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => [[name, valueOf(one) ?? null]]));
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
