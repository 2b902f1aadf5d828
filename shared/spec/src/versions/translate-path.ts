import type { ApiVersion } from './api-version.ts';
import { pathMap } from './path-map.ts';
import type { Rewrite } from './rewrites.ts';

/** A path in the other version; `rewrite` is there when the value at its end is spelled otherwise. */
export interface TranslatedPath {
  readonly path: string;
  readonly rewrite?: Rewrite;
}

/**
 * The path in the other version of one in this one: `spec.networking.subnets[0].cidr` -> `spec.subnets[0].cidr`. What
 * comes after a field that moved stays; a path that is the same in both, or that the other version does not have, is
 * itself. Takes `[*]` for an index.
 */
export function translatePath(kind: string, path: string, from: ApiVersion): TranslatedPath {
  const places = pathMap(kind, from);
  const tokens = path.match(/\.?[^.[\]]+|\[\d+\]|\[\*\]|\["(?:[^"\\]|\\.)*"\]/g) ?? [];
  for (let length = tokens.length; length > 0; length--) {
    const head = tokens.slice(0, length);
    const place = places.get(head.map((token) => (isIndex(token) ? '[]' : token)).join(''));
    if (place?.to === undefined) continue;
    const indexes = head.filter(isIndex);
    // A field never leaves the list item it lies in, so the lists of both paths are the same ones.
    const moved = place.to.replace(/\[\]/g, () => indexes.shift() ?? '[]');
    const rest = tokens.slice(length);
    return {
      path: [moved, ...rest].join(''),
      ...(place.rewrite === undefined || rest.length > 0 ? {} : { rewrite: place.rewrite }),
    };
  }
  return { path };
}

const isIndex = (token: string): boolean => /^\[(\d+|\*)\]$/.test(token);
