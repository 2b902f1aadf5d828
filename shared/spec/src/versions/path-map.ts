import type { ApiVersion } from './api-version.ts';
import { DISSOLVED, MOVES } from './moves.ts';
import { rewriteOf, type Rewrite } from './rewrites.ts';

/** Where a field of one version is in the other. */
export interface Place {
  /** Undefined where the other version has no such field. */
  readonly to: string | undefined;
  readonly rewrite?: Rewrite;
}

/** The places of a kind's fields. A field that is not listed keeps its name below its parent. */
export type PathMap = ReadonlyMap<string, Place>;

const maps = new Map<string, PathMap>();

/** The table, as one direction looks into it. */
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

/** The place of a field, given that of what it lies in. */
export function placeOf(places: PathMap, path: string, parent: string | undefined, name: string): Place {
  const own = places.get(path);
  if (own !== undefined) return own;
  if (parent === undefined) return { to: undefined };
  return { to: parent === '' ? name : `${parent}.${name}` };
}

/** The fields of an object with a path of their own below this one, in either version. */
export const isDissolved = (kind: string, version: ApiVersion, path: string): boolean =>
  kind in MOVES && DISSOLVED[version].includes(path);
