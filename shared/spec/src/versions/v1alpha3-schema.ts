import { KINDS, type Kind } from '../kinds.ts';
import { object, type Field, type FieldTable, type ObjectField } from '../schema/field.ts';
import { CLOUDS, DISSOLVED } from './moves.ts';
import { pathMap, placeOf, type PathMap } from './path-map.ts';

const schemas = new Map<Kind, ObjectField>();

/** The schema of a kind in v1alpha3: the schema of v1alpha2 with its fields moved as in the table. */
export function v1alpha3Schema(kind: Kind): ObjectField {
  const known = schemas.get(kind);
  if (known !== undefined) return known;
  const schema = kind === 'Cluster' ? withClouds(moved(kind)) : moved(kind);
  schemas.set(kind, schema);
  return schema;
}

/** A tree of fields that is being built: an object is a map; anything else is complete. */
type Built = Map<string, Built | Field>;

function moved(kind: Kind): ObjectField {
  const built: Built = new Map();
  moveChildren(KINDS[kind], { path: '', target: '' }, { built, root: '' }, pathMap(kind, 'v1alpha2'));
  return finished(built);
}

interface Here {
  readonly path: string;
  readonly target: string | undefined;
}
interface Scope {
  readonly built: Built;
  readonly root: string;
}

function moveChildren(schema: ObjectField, here: Here, scope: Scope, places: PathMap): void {
  for (const [name, field] of Object.entries(schema.fields)) {
    const path = here.path === '' ? name : `${here.path}.${name}`;
    const { to, rewrite } = placeOf(places, path, here.target, name);
    if (to === undefined && !DISSOLVED.v1alpha2.includes(path)) continue;
    if (rewrite !== undefined && to !== undefined) put(scope, to, rewrite.schema(field));
    else if (typeof field !== 'string' && field.type === 'object') {
      if (to !== undefined) put(scope, to, new Map());
      moveChildren(field, { path, target: to }, scope, places);
    } else if (to !== undefined) put(scope, to, listItemsMoved(field, { path, target: to }, places));
  }
}

function listItemsMoved(field: Field, { path, target }: Here, places: PathMap): Field {
  if (typeof field === 'string' || field.type !== 'list') return field;
  const { item } = field;
  if (typeof item === 'string' || item.type !== 'object') return field;
  const root = `${String(target)}[]`;
  const built: Built = new Map();
  moveChildren(item, { path: `${path}[]`, target: root }, { built, root }, places);
  return { type: 'list', item: finished(built) };
}

function put({ built, root }: Scope, target: string, value: Built | Field): void {
  const names = target.slice(root === '' ? 0 : root.length + 1).split('.');
  const last = names.pop() ?? '';
  let table = built;
  for (const name of names) {
    const inner = table.get(name);
    if (inner instanceof Map) table = inner;
    else {
      const made: Built = new Map();
      table.set(name, made);
      table = made;
    }
  }
  if (value instanceof Map && table.get(last) instanceof Map) return;
  table.set(last, value);
}

/** Sorted by name, as the fields of v1alpha2 are, so that lists of fields are easy to search. */
function finished(built: Built): ObjectField {
  const fields: Record<string, Field> = {};
  for (const [name, field] of [...built].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    fields[name] = field instanceof Map ? finished(field) : field;
  }
  return object<FieldTable>(fields);
}

/** v1alpha2 names the cloud; v1alpha3 has an object for each cloud, one of which is set. */
function withClouds(schema: ObjectField): ObjectField {
  const spec = fieldsOf(schema.fields['spec']);
  const configured = fieldsOf(spec['cloudProvider']);
  const cloudProvider = object<FieldTable>(
    Object.fromEntries(Object.keys(CLOUDS).map((cloud) => [cloud, configured[cloud] ?? object({})])),
  );
  return object<FieldTable>({ ...schema.fields, spec: object<FieldTable>({ ...spec, cloudProvider }) });
}

const fieldsOf = (field: Field | undefined): FieldTable =>
  field !== undefined && typeof field !== 'string' && field.type === 'object' ? field.fields : {};
