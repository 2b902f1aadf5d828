import { posix } from 'node:path';
import type { ImportGraph } from './import-circles.ts';
import type { Source } from './read-source.ts';

/** What a package.json says. */
export interface Package {
  readonly name: string;
  /** From the root of the repository. */
  readonly folder: string;
  /** Where the modules are that others import: `./src/*`. */
  readonly modules: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

export interface Exceptions {
  /** What every test may use: the devDependencies of the repository itself. */
  readonly tools: readonly string[];
  /** Files whose exports are read by persons. */
  readonly tables?: readonly string[];
}

/**
 * Each package declares what it imports and imports what it declares, and exports nothing that only its own file or tests use,
 * and no type that no file names.
 * What is declared for development is what only tests import. Returns one line for each fault.
 */
export function checkPackages(
  packages: readonly Package[],
  sources: readonly Source[],
  { tools, tables = [] }: Exceptions,
): readonly string[] {
  const ofPackage = new Map<Package, Source[]>(packages.map((one) => [one, []]));
  for (const source of sources) ownerOf(source.path, packages, ofPackage)?.push(source);
  const faults = [...ofPackage].flatMap(([one, its]) => [...undeclared(one, its, tools), ...unused(one, its)]);
  return [...faults, ...exportedInVain(packages, sources, tables), ...typesInVain(packages, sources)].toSorted();
}

function ownerOf(path: string, packages: readonly Package[], by: ReadonlyMap<Package, Source[]>): Source[] | undefined {
  const owner = packages.find(({ folder }) => path.startsWith(`${folder}/`));
  return owner === undefined ? undefined : by.get(owner);
}

/** Whether a file serves tests alone, by its name or its folder. */
const isTestCode = (path: string): boolean =>
  /\.test\.ts$|\/(simulation|testing|testdata)\/|^test\/|^shared\/testing\//.test(path);

/** What is released. Other programs make releases and tests, and these may import all of them. */
const isReleased = (path: string): boolean => /^(agents|clouds|control|shared)\//.test(path) && !isTestCode(path);

/** The package of an imported module; undefined for a file of the same package and for Node's own modules. */
const packageOf = (from: string): string | undefined =>
  /^(\.|\/|node:|#)/.test(from) ? undefined : /^(@[^/]+\/)?[^/]+/.exec(from)?.[0];

function undeclared(one: Package, sources: readonly Source[], tools: readonly string[]): readonly string[] {
  return sources.flatMap(({ path, imports }) => {
    const declared = [one.name, ...one.dependencies, ...(isTestCode(path) ? [...one.devDependencies, ...tools] : [])];
    const missing = new Set(
      imports.flatMap(({ from }) => packageOf(from) ?? []).filter((name) => !declared.includes(name)),
    );
    return [...missing].map((name) => `${path} imports ${name}: declare it in ${one.folder}/package.json`);
  });
}

function unused({ folder, dependencies, devDependencies }: Package, sources: readonly Source[]): readonly string[] {
  const isUsed = usedPackages(sources);
  const isUsedByMore = usedPackages(sources.filter(({ path }) => !isTestCode(path)));
  const isForTests = isTestCode(`${folder}/`);
  return [
    ...[...dependencies, ...devDependencies]
      .filter((name) => !isUsed(name))
      .map((name) => `${folder}/package.json declares ${name}: no file of it imports that`),
    ...dependencies
      .filter((name) => !isForTests && isUsed(name) && !isUsedByMore(name))
      .map(
        (name) => `${folder}/package.json declares ${name}: only tests import that, so it belongs in devDependencies`,
      ),
  ];
}

/** Tells whether a package, or what it has types for, is imported by one of these sources. */
function usedPackages(sources: readonly Source[]): (name: string) => boolean {
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ from }) => packageOf(from))));
  return (declared) => {
    const name = declared.replace(/^@types\//, '');
    return imported.has(name) || sources.some(({ mentions }) => mentions.has(name));
  };
}

function exportedInVain(
  packages: readonly Package[],
  sources: readonly Source[],
  tables: readonly string[],
): readonly string[] {
  const isUsed = importedNames(packages, sources);
  const isUsedInReleases = importedNames(
    packages,
    sources.filter(({ path }) => !isTestCode(path)),
  );
  // A tool is given its files by their paths, as vitest is in its configuration.
  const named = new Set([...tables, ...sources.flatMap(({ mentions }) => [...mentions])]);
  return sources
    .filter(({ path }) => !named.has(path))
    .flatMap(({ path, exports, ownUses }) =>
      exports.flatMap((name) => {
        if (!isUsed(path, name)) return `${path} exports ${name}: no other file imports it`;
        if (!isReleased(path) || ownUses.has(name) || isUsedInReleases(path, name)) return [];
        return `${path} exports ${name}: only tests use it, so it belongs beside them`;
      }),
    );
}

function typesInVain(packages: readonly Package[], sources: readonly Source[]): readonly string[] {
  const isUsed = importedNames(packages, sources);
  // Which types of these are named is not read.
  const named = new Set(
    sources.flatMap(({ path, typeImports }) => typeImports.map((from) => fileOf(path, from, packages))),
  );
  return sources
    .filter(({ path }) => !named.has(path))
    .flatMap(({ path, exportedTypes, ownUses }) =>
      exportedTypes
        .filter((name) => !ownUses.has(name) && !isUsed(path, name))
        .map((name) => `${path} exports the type ${name}: no file names it`),
    );
}

/** Tells whether a file's export is imported by one of these sources. */
function importedNames(
  packages: readonly Package[],
  sources: readonly Source[],
): (path: string, name: string) => boolean {
  const used = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    for (const { from, names } of imports) {
      const file = fileOf(path, from, packages);
      if (file === undefined) continue;
      const of = used.get(file) ?? new Set();
      used.set(file, of);
      for (const name of names === 'all' ? ['*'] : names) of.add(name);
    }
  }
  return (path, name) => used.get(path)?.has('*') === true || used.get(path)?.has(name) === true;
}

/** Which file imports which, types and imports at run time included. */
export const importGraph = (packages: readonly Package[], sources: readonly Source[]): ImportGraph =>
  new Map(
    sources.map(({ path, imports, typeImports }) => [
      path,
      [...imports.map(({ from }) => from), ...typeImports].flatMap((from) => fileOf(path, from, packages) ?? []),
    ]),
  );

/** The file that an import names; undefined if the file is not in the repository. */
function fileOf(path: string, from: string, packages: readonly Package[]): string | undefined {
  if (from.startsWith('.')) return posix.join(posix.dirname(path), from);
  const one = packages.find(({ name }) => from.startsWith(`${name}/`));
  return one && posix.join(one.folder, one.modules.replace('*', from.slice(one.name.length + 1)));
}
