import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { withExclusiveLock } from '@kopsctl/state-store/file/exclusive-lock.ts';
import { execa } from 'execa';
import * as z from 'zod';

import type { AptSource } from './apt-sources.ts';
import { parseDeb822Sources, parseListSources } from './apt-sources.ts';
import { readNote } from './read-note.ts';

/** A file of Debian's archive; its hash says exactly which bytes an asset was made from. */
export interface ArchiveFile {
  readonly file: string;
  readonly sha256: string;
}

/** What Debian offered when it was last asked: binary packages and the files of source packages, by package name. */
export interface Resolution {
  readonly atMs: number;
  readonly packages: Readonly<Record<string, ArchiveFile>>;
  readonly sources: Readonly<Record<string, readonly ArchiveFile[]>>;
}

const archiveFile = z.object({ file: z.string(), sha256: z.string() });

/** A resolution, and a hash of the lines of the sources that it is from. */
const resolutionNote = z.object({
  atMs: z.number(),
  sourcesHash: z.string(),
  packages: z.record(z.string(), archiveFile),
  sources: z.record(z.string(), z.array(archiveFile)),
});

export interface AptRoot {
  /** What was found the last time, or undefined if the mirror was never asked, or was asked for less. Touches no network. */
  resolved(want: Wanted): Promise<Resolution | undefined>;
  /** Asks the mirror. */
  resolve(want: Wanted): Promise<Resolution>;
  /** Reads the package lists and resolves nothing. */
  update(): Promise<void>;
  /** These packages and all that they depend on, on a machine that has nothing. */
  closure(packages: readonly string[]): Promise<readonly string[]>;
  /** Downloads packages and unpacks all of them into one folder. Does not run their scripts. Returns their versions by name. */
  unpack(packages: readonly string[], into: string): Promise<Readonly<Record<string, string>>>;
  /** Downloads a source package's files into a folder. */
  downloadSource(name: string, into: string): Promise<void>;
}

export interface Wanted {
  readonly packages: readonly string[];
  readonly sources: readonly string[];
}

/** Reading the package lists takes seconds, but some hundred packages take a slow line most of an hour. */
const TURN_WITHIN_MS = 60 * 60 * 1000;

/**
 * An apt of our own inside `dir`: the machine's mirrors and keys, but its own lists and cache and an empty package
 * state, so that nothing on the machine is changed or upgraded by what is downloaded here. Each file is checked by its
 * hash in the lists, and these by the archive's signature.
 *
 * @param choose the lines of its sources.list, from what the machine's own apt is configured for.
 */
export function aptRoot(dir: string, choose: (own: readonly AptSource[]) => readonly string[]): AptRoot {
  const resolutionFile = path.join(dir, 'resolution.json');
  const update = async (lines: readonly string[]): Promise<void> => {
    await lay(dir, lines);
    await explained('read the package lists of Debian', () => apt('apt-get', ['update', '-qq']));
  };
  // No other process reads the lists again meanwhile.
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    await mkdir(dir, { recursive: true });
    const what = 'read package lists of Debian, and download what they name';
    return withExclusiveLock({ file: path.join(dir, 'lock'), what, waitLimitMs: TURN_WITHIN_MS }, undefined, work);
  };
  const apt = async (program: string, args: readonly string[], cwd = dir): Promise<string> => {
    const { stdout } = await execa(program, args, {
      cwd,
      env: { APT_CONFIG: path.join(dir, 'apt.conf'), LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' },
    });
    return stdout;
  };

  return {
    async resolved(want) {
      const found = await readNote(resolutionFile, resolutionNote);
      if (found === undefined || found.sourcesHash !== hash(choose(await ownSources()).join('\n'))) return undefined;
      const complete =
        want.packages.every((name) => name in found.packages) && want.sources.every((name) => name in found.sources);
      return complete ? found : undefined;
    },

    resolve: (want) =>
      alone(async () => {
        const lines = choose(await ownSources());
        await update(lines);
        const packages: Record<string, ArchiveFile> = {};
        // Without a name, apt-get fails.
        const uris =
          want.packages.length === 0
            ? ''
            : await explained(`find ${want.packages.join(', ')} in Debian`, () =>
                apt('apt-get', ['download', '--print-uris', ...want.packages]),
              );
        for (const found of parsePrintedUris(uris)) packages[found.file.split('_')[0] ?? ''] = found;
        const sources: Record<string, readonly ArchiveFile[]> = {};
        for (const name of want.sources) {
          const found = await explained(`find the source of ${name} in Debian`, () =>
            apt('apt-get', ['source', '--print-uris', '--download-only', name]),
          );
          sources[name] = parsePrintedUris(found);
        }
        const resolution = { atMs: Date.now(), sourcesHash: hash(lines.join('\n')), packages, sources };
        await replaceFile(resolutionFile, JSON.stringify(resolution, undefined, 2), { mode: 0o644 });
        return resolution;
      }),

    update: () => alone(async () => update(choose(await ownSources()))),

    closure: (packages) =>
      alone(async () => {
        const uris = await explained(`find what ${packages.join(', ')} depend on in Debian`, () =>
          apt('apt-get', ['install', '--print-uris', '-qq', '--yes', '--no-install-recommends', ...packages]),
        );
        // With MD5, which apt prints here for nobody to rely on: `download` verifies each file by its SHA-256.
        return [...uris.matchAll(/^'[^']*' ([^_]+)_/gm)].map(([, name = '']) => name);
      }),

    async unpack(packages, into) {
      const downloads = `${into}.debs`;
      await mkdir(downloads, { recursive: true });
      await mkdir(into, { recursive: true });
      await alone(() =>
        explained(`download ${packages.join(', ')}`, () => apt('apt-get', ['download', '-qq', ...packages], downloads)),
      );
      const versions: Record<string, string> = {};
      for (const name of (await readdir(downloads)).sort()) {
        const deb = path.join(downloads, name);
        const { stdout } = await execa('dpkg-deb', ['--show', '--showformat=${Package} ${Version}', deb]);
        const [packageName = name, version = ''] = stdout.split(' ');
        versions[packageName] = version;
        await execa('dpkg-deb', ['--extract', deb, into]);
      }
      return versions;
    },

    async downloadSource(name, into) {
      await mkdir(into, { recursive: true });
      await alone(() =>
        explained(`download the source of ${name}`, () =>
          apt('apt-get', ['source', '-qq', '--download-only', name], into),
        ),
      );
    },
  };
}

/** Lines of `apt-get --print-uris`: `'uri' file size SHA256:hash`. */
export function parsePrintedUris(text: string): readonly ArchiveFile[] {
  return text.split('\n').flatMap((line) => {
    const match = /^'[^']*' (\S+) \d+ SHA256:([0-9a-f]{64})$/.exec(line.trim());
    return match === null ? [] : [{ file: decodeURIComponent(match[1] ?? ''), sha256: match[2] ?? '' }];
  });
}

/** The upstream part of a Debian file name: `containerd_1.6.20~ds1-1+deb12u3_amd64.deb` holds 1.6.20. */
export function upstreamVersion(file: string): string {
  const version = decodeURIComponent(file).split('_')[1] ?? '';
  return /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? version;
}

/** The apt sources of this machine. */
export async function ownSources(): Promise<readonly AptSource[]> {
  const lists = await readAll('/etc/apt/sources.list.d');
  const old = await ifThere(readFile('/etc/apt/sources.list', 'utf8'));
  return [
    ...(old === undefined ? [] : parseListSources(old)),
    ...lists.flatMap(({ name, text }) =>
      name.endsWith('.sources') ? parseDeb822Sources(text) : name.endsWith('.list') ? parseListSources(text) : [],
    ),
  ];
}

async function lay(dir: string, lines: readonly string[]): Promise<void> {
  for (const folder of ['etc/apt.conf.d', 'etc/preferences.d', 'state/lists/partial', 'cache/archives/partial']) {
    await mkdir(path.join(dir, folder), { recursive: true });
  }
  await writeFile(path.join(dir, 'state/status'), '');
  await writeFile(path.join(dir, 'etc/sources.list'), `${lines.join('\n')}\n`);
  // The lists of a mirror's snapshot are older than their stated validity; their signatures are still verified.
  const config = [
    ...(await ownAcquireSettings()),
    `Dir::Etc "${dir}/etc";`,
    'Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";',
    `Dir::State "${dir}/state";`,
    `Dir::State::status "${dir}/state/status";`,
    `Dir::Cache "${dir}/cache";`,
    'Acquire::Languages "none";',
    'Acquire::Check-Valid-Until "false";',
    'Acquire::Retries "3";',
    'APT::Sandbox::User "root";',
  ];
  await writeFile(path.join(dir, 'apt.conf'), `${config.join('\n')}\n`);
}

/** The machine's own Acquire settings are kept: it may need a proxy to reach the mirror. */
async function ownAcquireSettings(): Promise<readonly string[]> {
  const { stdout } = await execa('apt-config', ['dump']);
  return stdout.split('\n').filter((line) => /^Acquire::.+ ".+";$/.test(line));
}

async function explained<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new ActionableError({
      what,
      why: messageOf(cause),
      next: 'check that this machine reaches its Debian mirror (apt-get update), then run the same command again',
      cause,
    });
  }
}

async function readAll(folder: string): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const names = (await ifThere(readdir(folder))) ?? [];
  return Promise.all(
    names
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  );
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
