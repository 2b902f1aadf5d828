import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AptRoot, aptRoot } from './apt-root.ts';
import { otherSuite } from './apt-sources.ts';
import type { MadeFile } from './cached-folder.ts';

export interface WantedPackages {
  /** A Debian suite, e.g. `sid`. */
  readonly suite: string;
  readonly packages: readonly string[];
  /** With all that they depend on, which is otherwise what this machine has. */
  readonly closure?: true;
}

/** Where a result of makeCached is made. */
export interface MakingPlace {
  readonly dir: string;
  readonly scratch: string;
  /** The cache that it will be in. */
  readonly cacheDir: string;
}

/** Downloads packages and unpacks them into `dir/root`, without running their scripts. */
export async function unpackPackages(
  { suite, packages, closure }: WantedPackages,
  { dir, scratch, cacheDir }: MakingPlace,
): Promise<readonly MadeFile[]> {
  const apt = await updatedApt(cacheDir, suite);
  const all = closure === true ? await apt.closure(packages) : packages;
  const versions = await apt.unpack(all, join(scratch, 'root'));
  await rename(join(scratch, 'root'), join(dir, 'root'));
  return [await writeVersions(dir, Object.fromEntries(packages.map((name) => [name, versions[name] ?? ''])))];
}

/** By folder. The lists of a suite are read once for all that this process wants of it: that takes seconds of a processor. */
const updated = new Map<string, Promise<AptRoot>>();

function updatedApt(cacheDir: string, suite: string): Promise<AptRoot> {
  const folder = join(cacheDir, 'apt-suites', suite);
  const known = updated.get(folder);
  if (known !== undefined) return known;
  const apt = aptRoot(folder, (own) => otherSuite(own, suite));
  const update = apt.update().then(() => apt);
  updated.set(folder, update);
  // A mirror that does not answer now may answer the next one who asks.
  update.catch(() => updated.delete(folder));
  return update;
}

/** Writes the file that represents the whole tree in the cache. makeCached publishes both in one folder. */
export async function writeVersions(dir: string, versions: Readonly<Record<string, string>>): Promise<MadeFile> {
  await writeFile(join(dir, 'versions.json'), JSON.stringify(versions, undefined, 2));
  return { name: 'versions', version: '', file: 'versions.json' };
}
