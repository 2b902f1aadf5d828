import { importGraph, type Package } from './check-packages.ts';
import type { Source } from './read-source.ts';

/**
 * A cloud is one folder, `clouds/<cloud>/`, and knows of no other. Tells which files there import from another cloud's
 * folder, types included; the registries, which lie beside the folders, import all. Returns one line for each fault.
 *
 * @param allowed by file, the clouds that it may import from; one that it does not is a fault too
 */
export function cloudsApart(
  packages: readonly Package[],
  sources: readonly Source[],
  allowed: Readonly<Record<string, readonly string[]>> = {},
): readonly string[] {
  const found = [...importGraph(packages, sources)].flatMap(([path, imported]) => {
    const own = cloudOf(path);
    if (own === undefined) return [];
    return [...new Set(imported)].flatMap((target) => {
      const cloud = cloudOf(target);
      return cloud === undefined || cloud === own ? [] : [{ path, target, cloud }];
    });
  });
  return [
    ...found
      .filter(({ path, cloud }) => allowed[path]?.includes(cloud) !== true)
      .map(
        ({ path, target }) =>
          `${path} imports ${target}, of another cloud: what both need is in shared or control/model`,
      ),
    ...Object.entries(allowed).flatMap(([path, clouds]) =>
      clouds
        .filter((cloud) => !found.some((one) => one.path === path && one.cloud === cloud))
        .map((cloud) => `${path} may import from clouds/${cloud} and does not: take that off the list`),
    ),
  ];
}

/** The cloud in whose folder a file is. */
const cloudOf = (path: string): string | undefined => /^clouds\/([^/]+)\//.exec(path)?.[1];
