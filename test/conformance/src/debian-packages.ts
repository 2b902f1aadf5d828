import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { findDebianMirror, type DebianMirror } from './apt-sources.ts';

export interface UnpackedPackages {
  /** Where the files are, as if it were `/`. */
  readonly root: string;
  /** What was resolved, e.g. `{ 'python3-moto': '5.2.4-1' }`. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface WantedPackages {
  /** A Debian suite, e.g. `sid`. */
  readonly suite: string;
  readonly packages: readonly string[];
  /** Survives between runs, e.g. `/var/cache/kopsctl/test-peers`. */
  readonly cacheFolder: string;
}

/**
 * Downloads packages of any Debian suite and unpacks them into a folder, without their dependencies and without
 * installing anything: the machine's own apt lists, pins and packages are neither used nor touched. What was unpacked
 * once is used again; delete the folder to resolve newer versions.
 */
export async function unpackDebianPackages(wanted: WantedPackages): Promise<UnpackedPackages> {
  const name = `${wanted.suite}-${createHash('sha256').update(wanted.packages.toSorted().join(' ')).digest('hex').slice(0, 12)}`;
  const target = join(wanted.cacheFolder, name);
  const found = await readUnpacked(target);
  if (found !== undefined) return found;

  const work = join(wanted.cacheFolder, `.unpacking-${randomUUID()}`);
  try {
    await download(wanted, await mirrorOfThisMachine(), work);
    const versions = await unpack(join(work, 'debs'), join(work, 'tree', 'root'));
    await writeFile(join(work, 'tree', 'versions.json'), JSON.stringify(versions));
    await rename(join(work, 'tree'), target);
  } catch (thrown) {
    // Another process may have finished the same folder first: then that one is used.
    if (codeOf(thrown) !== 'ENOTEMPTY' && codeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const unpacked = await readUnpacked(target);
  if (unpacked === undefined) throw new Error(`${target} was unpacked but has no versions.json`);
  return unpacked;
}

async function readUnpacked(target: string): Promise<UnpackedPackages | undefined> {
  try {
    return { root: join(target, 'root'), versions: JSON.parse(await readFile(join(target, 'versions.json'), 'utf8')) };
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** The Debian archive that this machine's own apt sources name. */
export async function mirrorOfThisMachine(): Promise<DebianMirror> {
  const parts = await readFolder('/etc/apt/sources.list.d');
  const files = ['/etc/apt/sources.list', ...parts.filter((name) => /\.(list|sources)$/.test(name))];
  const mirror = findDebianMirror(await Promise.all(files.map(readOrEmpty)));
  if (mirror !== undefined) return mirror;
  throw new ActionableError({
    what: 'find a Debian archive',
    why: `none of ${files.join(', ')} names one`,
    next: 'run on Debian with its usual apt sources, or add one to /etc/apt/sources.list.d',
  });
}

async function download(wanted: WantedPackages, mirror: DebianMirror, work: string): Promise<void> {
  const apt = join(work, 'apt');
  for (const folder of ['etc/apt.conf.d', 'etc/preferences.d', 'state/lists/partial', 'cache/archives/partial']) {
    await mkdir(join(apt, folder), { recursive: true });
  }
  await mkdir(join(work, 'debs'));
  await writeFile(join(apt, 'state/status'), '');
  await writeFile(
    join(apt, 'etc/sources.list'),
    `deb [signed-by=${mirror.keyring}] ${mirror.uri} ${wanted.suite} main\n`,
  );
  await writeFile(join(apt, 'apt.conf'), `${await acquireSettings()}\n${isolated(apt)}`);
  const options = { env: { APT_CONFIG: join(apt, 'apt.conf') }, cwd: join(work, 'debs') };
  await execa('apt-get', ['update', '-q'], options);
  await execa('apt-get', ['download', '-q', ...wanted.packages], options);
}

/** Proxies and the like belong to the way to the mirror, so the machine's own are kept. */
async function acquireSettings(): Promise<string> {
  const { stdout } = await execa('apt-config', ['dump']);
  return stdout
    .split('\n')
    .filter((line) => /^Acquire::.+ ".+";$/.test(line))
    .join('\n');
}

function isolated(apt: string): string {
  return [
    `Dir::Etc "${apt}/etc";`,
    `Dir::Etc::sourcelist "${apt}/etc/sources.list";`,
    `Dir::Etc::sourceparts "/dev/null";`,
    `Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";`,
    `Dir::State "${apt}/state";`,
    `Dir::State::status "${apt}/state/status";`,
    `Dir::Cache "${apt}/cache";`,
    'Acquire::Languages "none";',
    // The Release file of a development suite expires within days; its signature is checked all the same.
    'Acquire::Check-Valid-Until "false";',
    'APT::Sandbox::User "root";',
    '',
  ].join('\n');
}

async function unpack(debs: string, root: string): Promise<Record<string, string>> {
  await mkdir(root, { recursive: true });
  const versions: Record<string, string> = {};
  for (const name of (await readdir(debs)).sort()) {
    const deb = join(debs, name);
    const { stdout } = await execa('dpkg-deb', ['--show', '--showformat=${Package} ${Version}', deb]);
    const [packageName = name, version = ''] = stdout.split(' ');
    versions[packageName] = version;
    await execa('dpkg-deb', ['--extract', deb, root]);
  }
  return versions;
}

async function readFolder(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort().map((name) => join(folder, name));
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return '';
    throw thrown;
  }
}
