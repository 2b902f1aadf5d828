import type { ProgramRow } from './programs.ts';
import type { ProgramSource } from './program-source.ts';
import type { Arch, Recipe } from './recipe.ts';
import { readdir } from 'node:fs/promises';

/** The recipe of a row from one of its sources. Each program is a file of the result, under its own name. */
export function programRecipe({ thing, version }: ProgramRow, source: ProgramSource, arch: Arch): Recipe {
  const { from, version: own = version, packages = [], sourcePackages = [], isBuilt } = source;
  return {
    thing,
    version: own,
    from,
    packages,
    sources: sourcePackages,
    revision: [arch, ...source.inputs].join('\n'),
    ...(isBuilt === undefined ? {} : { isBuilt }),
    async make(kitchen) {
      const found = await source.provide(kitchen);
      const names = (await readdir(kitchen.dir)).sort();
      return names.map((name) => ({ name, version: found, file: name }));
    },
  };
}
