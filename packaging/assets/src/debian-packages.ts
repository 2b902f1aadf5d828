import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aptRoot } from './apt-root.ts';
import { otherSuite } from './apt-sources.ts';
import type { MadeFile } from './cached-folder.ts';

export interface WantedPackages {
  /** A Debian suite, e.g. `sid`. */
  readonly suite: string;
  readonly packages: readonly string[];
}

/** Downloads packages and unpacks them into `dir/root`, without dependencies and without running their scripts. */
export async function unpackPackages(
  { suite, packages }: WantedPackages,
  dir: string,
  scratch: string,
): Promise<readonly MadeFile[]> {
  const apt = aptRoot(join(scratch, 'apt'), (own) => otherSuite(own, suite));
  await apt.update();
  const versions = await apt.unpack(packages, join(scratch, 'root'));
  await rename(join(scratch, 'root'), join(dir, 'root'));
  return [await writeVersions(dir, versions)];
}

/** Writes the file that represents the whole tree in the cache. makeCached publishes both in one folder. */
export async function writeVersions(dir: string, versions: Readonly<Record<string, string>>): Promise<MadeFile> {
  await writeFile(join(dir, 'versions.json'), JSON.stringify(versions, undefined, 2));
  return { name: 'versions', version: '', file: 'versions.json' };
}
