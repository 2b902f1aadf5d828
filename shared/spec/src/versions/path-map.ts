import type { ApiVersion } from './api-version.ts';
import { DISSOLVED, MOVES } from './moves.ts';
import { rewriteOf, type Rewrite } from './rewrites.ts';

/** The path of a field in the other version. */
export interface Place {
  /** Undefined if the other version has no such field. */
  readonly to: string | undefined;
  readonly rewrite?: Rewrite;
}

/** The paths of a kind's fields. A field that is not listed keeps its name within its parent. */
export type PathMap = ReadonlyMap<string, Place>;

const maps = new Map<string, PathMap>();

/** The table for one direction. */
export function pathMap(kind: string, from: ApiVersion): PathMap {
  const known = maps.get(`${kind} ${from}`);
  if (known !== undefined) return known;
  const places = new Map<string, Place>(
    (kind in MOVES ? DISSOLVED[from] : []).map((path): [string, Place] => [path, { to: undefined }]),
  );
  for (const { v1alpha2, v1alpha3, rewrite } of MOVES[kind] ?? []) {
    const [source, to] = from === 'v1alpha2' ? [v1alpha2, v1alpha3] : [v1alpha3, v1alpha2];
    if (source !== undefined)
      places.set(source, { to, ...(rewrite === undefined ? {} : { rewrite: rewriteOf(rewrite) }) });
  }
  maps.set(`${kind} ${from}`, places);
  return places;
}

/** The path of a field, given that of its parent. */
export function placeOf(places: PathMap, path: string, parent: string | undefined, name: string): Place {
  const own = places.get(path);
  if (own !== undefined) return own;
  if (parent === undefined) return { to: undefined };
  return { to: parent === '' ? name : `${parent}.${name}` };
}

/** The fields below this object that have a path of their own, in either version. */
export const isDissolved = (kind: string, version: ApiVersion, path: string): boolean =>
  kind in MOVES && DISSOLVED[version].includes(path);
