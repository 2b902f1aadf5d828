import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import type { CachedFolder } from './cached-folder.ts';
import { findCached, makeCached } from './cached-folder.ts';
import { unpackPackages } from './debian-packages.ts';

/** A Go that can compile published modules. */
export interface Go {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/** From this version on, Go downloads the release that a module requires (GOTOOLCHAIN). */
const OLDEST = { major: 1, minor: 21 };

/** The first release of Debian whose Go is new enough. Go needs no library, so it runs on the release before too. */
const SUITE = 'trixie';
const PACKAGES = ['golang-1.24-go', 'golang-1.24-src'];

/**
 * The Go of this machine, or else Debian's, unpacked beside it and not installed. Modules and compiled packages are kept
 * below `cacheDir`: what two programs share is fetched and compiled once.
 */
export async function goToolchain(cacheDir: string, log: (line: string) => void): Promise<Go> {
  const own = await ownGo();
  const work = path.join(cacheDir, 'go');
  const env = {
    GOTOOLCHAIN: 'auto',
    GOPATH: path.join(work, 'path'),
    GOCACHE: path.join(work, 'build'),
    // Without it the cache could not be removed like any other folder.
    GOFLAGS: '-mod=mod -modcacherw -buildvcs=false',
  };
  await mkdir(work, { recursive: true });
  if (own !== undefined) return { program: own, env };
  const root = path.join(await debianGo(cacheDir, log), 'usr/lib/go-1.24');
  return { program: path.join(root, 'bin/go'), env: { ...env, GOROOT: root } };
}

/** The usual place too: a shell that is not a login shell often lacks it in its path. */
async function ownGo(): Promise<string | undefined> {
  for (const program of ['go', '/usr/local/go/bin/go']) {
    const asked = await execa(program, ['env', 'GOVERSION'], { reject: false, env: { GOTOOLCHAIN: 'local' } });
    if (!asked.failed && isNewEnough(asked.stdout)) return program;
  }
  return undefined;
}

/** @param version as `go env GOVERSION` prints it, e.g. `go1.24.4`; anything else counts as too old. */
export function isNewEnough(version: string): boolean {
  const match = /^go(\d+)\.(\d+)/.exec(version.trim());
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}

async function debianGo(cacheDir: string, log: (line: string) => void): Promise<string> {
  const key = createHash('sha256').update(PACKAGES.join(' ')).digest('hex').slice(0, 12);
  const dir = path.join(cacheDir, 'go', `${SUITE}-${key}`);
  const found = await findCached(dir);
  if (found === undefined) log(`go: this machine has none that is new enough; Debian ${SUITE}'s is unpacked as well`);
  const folder: CachedFolder =
    found ??
    (await makeCached(dir, 'times', (into, scratch) =>
      unpackPackages({ suite: SUITE, packages: PACKAGES }, { dir: into, scratch, cacheDir }),
    ));
  return path.join(folder.dir, 'root');
}
