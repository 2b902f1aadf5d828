import type { ApiVersion } from './api-version.ts';
import { pathMap } from './path-map.ts';
import type { Rewrite } from './rewrites.ts';

/** A path in the other version. `rewrite` is set if the value at its end is spelled differently. */
export interface TranslatedPath {
  readonly path: string;
  readonly rewrite?: Rewrite;
}

/**
 * Translates a path to the other version: `spec.networking.subnets[0].cidr` -> `spec.subnets[0].cidr`. The part after a
 * field that moved stays as it is. A path that both versions have, or that the other version lacks, is returned
 * unchanged. Accepts `[*]` as an index.
 */
export function translatePath(kind: string, path: string, from: ApiVersion): TranslatedPath {
  const places = pathMap(kind, from);
  const tokens = path.match(/\.?[^.[\]]+|\[\d+\]|\[\*\]|\["(?:[^"\\]|\\.)*"\]/g) ?? [];
  for (let length = tokens.length; length > 0; length--) {
    const head = tokens.slice(0, length);
    const place = places.get(head.map((token) => (isIndex(token) ? '[]' : token)).join(''));
    if (place?.to === undefined) continue;
    const indexes = head.filter(isIndex);
    // A field never moves out of its list item, so both paths have the same lists.
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
