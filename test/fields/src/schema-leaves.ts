import type { EnumField, Field, ScalarField } from '@kopsctl/spec/schema/field.ts';

/** A field with a value of its own, `spec.subnets[].cidr`, and how a value of it looks. */
export interface SchemaLeaf {
  readonly path: string;
  readonly field: ScalarField | EnumField;
  /** A list of single values is one leaf, and so is a map of them. */
  readonly holds: 'one' | 'list' | 'map' | 'map of lists';
}

/** All leaves of a field, in the order of the schema. An object without fields is a switch: its presence is its value. */
export function schemaLeaves(field: Field, path: string): readonly SchemaLeaf[] {
  if (typeof field === 'string' || field.type === 'enum') return [{ path, field, holds: 'one' }];
  if (field.type === 'object') {
    const fields = Object.entries(field.fields);
    if (fields.length === 0) return [{ path, field: 'anything', holds: 'one' }];
    return fields.flatMap(([name, inner]) => schemaLeaves(inner, `${path}.${name}`));
  }
  const { item } = field;
  if (typeof item === 'string' || item.type === 'enum') return [{ path, field: item, holds: field.type }];
  if (field.type === 'list') return schemaLeaves(item, `${path}[]`);
  if (item.type === 'list' && typeof item.item === 'string') {
    return [{ path, field: item.item, holds: 'map of lists' }];
  }
  return schemaLeaves(item, `${path}.any`);
}
