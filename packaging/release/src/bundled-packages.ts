import path from 'node:path';

/** What package-lock.json says of each package, by its folder below the root. */
export interface Lock {
  readonly packages: Readonly<Record<string, { readonly name?: string; readonly version?: string }>>;
}

/**
 * The packages that files below the root belong to, as npm's SBOMs refer to them (`execa@10.2.1`). Files of the root
 * itself belong to none. Pure.
 */
export function bundledPackages(files: readonly string[], { packages }: Lock): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of files) {
    const folder = packageFolder(file, packages);
    const known = folder === undefined ? undefined : packages[folder];
    if (folder === undefined || known === undefined) continue;
    found.add(`${known.name ?? nameIn(folder)}@${known.version ?? ''}`);
  }
  return found;
}

/** The nearest folder above a file that is a package: some have a package.json in folders of their own, which the lock lacks. */
function packageFolder(file: string, packages: Lock['packages']): string | undefined {
  for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) {
    if (packages[folder] !== undefined) return folder;
  }
  if (file.includes('node_modules/')) throw new Error(`${file} is of a package that package-lock.json does not name`);
  return undefined;
}

const MODULES = 'node_modules/';
const nameIn = (folder: string): string => folder.slice(folder.lastIndexOf(MODULES) + MODULES.length);
