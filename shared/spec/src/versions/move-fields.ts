import { isRecord } from '@kopsctl/tasks/record.ts';
import type { Field, ObjectField } from '../schema/field.ts';
import type { ApiVersion } from './api-version.ts';
import { isDissolved, pathMap, placeOf, type PathMap } from './path-map.ts';
import { CannotRewrite } from './rewrites.ts';
import type { Values } from './values.ts';

/** A value for which the other version has no field or no spelling. */
export interface Misfit {
  /** Its path in the version that was converted from, e.g. `spec.etcdClusters[0].provider`. */
  readonly path: string;
  readonly value: unknown;
}

export interface Moved {
  readonly value: Values;
  readonly lost: readonly Misfit[];
  readonly faults: readonly (Misfit & { readonly why: string })[];
}

/** The object that is being built: from its top, or an item of a list. No field ever moves out of its list item. */
interface Scope {
  readonly built: Record<string, unknown>;
  /** The path of the object, e.g. `spec.hooks[]`; empty for the top. */
  readonly root: string;
}

interface Walk {
  readonly kind: string;
  readonly from: ApiVersion;
  readonly to: ApiVersion;
  readonly places: PathMap;
  readonly lost: Misfit[];
  readonly faults: (Misfit & { readonly why: string })[];
}

/** Moves every value of an object to its path in the other version. The schema is that of the object's own version. */
export function moveFields(kind: string, value: Values, schema: ObjectField, from: ApiVersion): Moved {
  const to = from === 'v1alpha2' ? 'v1alpha3' : 'v1alpha2';
  const walk: Walk = { kind, from, to, places: pathMap(kind, from), lost: [], faults: [] };
  const built = emptyObject();
  moveObject(value, schema, { path: '', at: '', target: '' }, { built, root: '' }, walk);
  return { value: built, lost: walk.lost, faults: walk.faults };
}

/** The current position: the path as in the table, the same with indexes, and the path in the other version. */
interface Here {
  readonly path: string;
  readonly at: string;
  readonly target: string | undefined;
}

function moveObject(value: Values, schema: ObjectField, here: Here, scope: Scope, walk: Walk): void {
  for (const [name, child] of Object.entries(value)) {
    // Unknown fields are kept, so that the parser of the result can refuse them.
    const field = (Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined) ?? 'anything';
    if (child === undefined) continue;
    const path = here.path === '' ? name : `${here.path}.${name}`;
    const at = here.at === '' ? name : `${here.at}.${name}`;
    const { to, rewrite } = placeOf(walk.places, path, here.target, name);
    if (to === undefined && !isDissolved(walk.kind, walk.from, path)) {
      walk.lost.push({ path: at, value: child });
    } else if (rewrite !== undefined && to !== undefined) {
      try {
        put(scope, to, walk.to === 'v1alpha3' ? rewrite.toV1alpha3(child) : rewrite.toV1alpha2(child));
      } catch (error) {
        if (!(error instanceof CannotRewrite)) throw error;
        walk.faults.push({ path: at, value: child, why: error.message });
      }
    } else {
      moveValue(child, field, { path, at, target: to }, scope, walk);
    }
  }
}

function moveValue(value: unknown, field: Field, here: Here, scope: Scope, walk: Walk): void {
  if (typeof field !== 'string' && field.type === 'object' && isRecord(value)) {
    // An object without any field still means that the feature is wanted.
    if (here.target !== undefined) put(scope, here.target, emptyObject());
    return moveObject(value, field, here, scope, walk);
  }
  if (here.target === undefined) return;
  const item = typeof field !== 'string' && field.type === 'list' ? field.item : undefined;
  if (item === undefined || typeof item === 'string' || item.type !== 'object' || !Array.isArray(value)) {
    return put(scope, here.target, value);
  }
  const [path, root] = [`${here.path}[]`, `${here.target}[]`];
  const items = value.map((one: unknown, index) => {
    if (!isRecord(one)) return one;
    const built = emptyObject();
    moveObject(one, item, { path, at: `${here.at}[${index}]`, target: root }, { built, root }, walk);
    return built;
  });
  put(scope, here.target, items);
}

/** Writes a value to its path in the object that is being built. An existing object keeps its fields. */
export function put({ built, root }: Scope, target: string, value: unknown): void {
  const names = target.slice(root === '' ? 0 : root.length + 1).split('.');
  const last = names.pop() ?? '';
  let object = built;
  for (const name of names) {
    const inner = object[name];
    object = isBuilt(inner) ? inner : (object[name] = emptyObject());
  }
  if (isRecord(value) && Object.keys(value).length === 0 && isRecord(object[last])) return;
  object[last] = value;
}

const emptyObject = (): Record<string, unknown> => ({});
/** Objects on the path are created here, so they may be changed. */
const isBuilt = (value: unknown): value is Record<string, unknown> => isRecord(value);
