import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type CachedFolder, cacheKey, findCached, makeCached } from '@kopsctl/packaging-assets/cached-folder.ts';
import { buildGoModule, type GoModule } from '@kopsctl/packaging-assets/go-module.ts';
import { goToolchain } from '@kopsctl/packaging-assets/go-toolchain.ts';
import { DEFAULT_CACHE, makeAssets } from '@kopsctl/packaging-assets/prepare-assets.ts';
import { unpackPackages } from '@kopsctl/packaging-assets/debian-packages.ts';
import { makeRoot } from './debian-root.ts';
import { type PeerName, type PeerSource, PEERS } from './peers.ts';
import { installWheels } from './install-wheels.ts';
import { whyNoPeers } from './this-machine.ts';

const FETCHED = join(DEFAULT_CACHE, 'test-peers');

/** Third-party software on this machine. */
export interface Peer {
  /** The folder of its files, in the layout of `/`; for what is not of Debian, the folder of the programs. */
  readonly root: string;
  /** The resolved versions, e.g. `{ 'python3-moto': '5.2.4-1' }`. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Finds the peer; for the top of a test file. On a machine that cannot run it, prints the reason and returns undefined,
 * and the tests are skipped. On any other machine the tests fail if the peer cannot be provided.
 */
export async function findPeer(name: PeerName): Promise<Peer | undefined> {
  const reason = whyNoPeers();
  if (reason === undefined) return providePeer(name);
  const found = await fetchedBefore(name);
  if (found === undefined) console.log(`SKIPPED: tests with ${name} (${PEERS[name].what}): ${reason}`);
  return found;
}

/** Returns the peer, and fetches or builds it first if it is not in the cache. */
export async function providePeer(name: PeerName, log: (line: string) => void = console.log): Promise<Peer> {
  const source: PeerSource = PEERS[name];
  try {
    if (source.from === 'assets') return await provideAssets(source, log);
    if (source.from === 'go-module') return await provideModules([source.module, ...(source.others ?? [])], log);
    const place = placeOf(name);
    const found = await fetchedBefore(name);
    if (found !== undefined) return found;
    if (source.from === 'pypi') {
      const { wheels } = source;
      log(`${name}: fetch ${wheels.length} packages of PyPI`);
      return await asPeer(await makeCached(place, 'times', (dir, scratch) => installWheels(wheels, dir, scratch)));
    }
    log(`${name}: fetch ${source.packages.length} packages of Debian ${source.suite}`);
    const fetch = source.from === 'root' ? makeRoot : unpackPackages;
    const making = makeCached(place, 'times', (dir, scratch) =>
      fetch(source, { dir, scratch, cacheDir: DEFAULT_CACHE }),
    );
    return await asPeer(await making);
  } catch (cause) {
    throw new ActionableError({
      what: `provide ${name} for tests (${PEERS[name].what})`,
      why: messageOf(cause),
      next:
        cause instanceof ActionableError
          ? cause.next
          : 'run `node_modules/.bin/node test/peers/src/main.ts`, which only provides peers',
      cause,
    });
  }
}

async function provideAssets(
  { thing, kubernetes }: Extract<PeerSource, { from: 'assets' }>,
  log: (line: string) => void,
): Promise<Peer> {
  const made = await makeAssets({ wants: { kubernetes: [kubernetes] }, only: [thing], log });
  const folder = made.get(thing);
  if (folder === undefined) throw new Error(`makeAssets did not make ${thing}`);
  const versions = Object.fromEntries(folder.files.map(({ name, version }) => [name, version]));
  return { root: folder.dir, versions };
}

async function provideModules(modules: readonly [GoModule, ...GoModule[]], log: (line: string) => void): Promise<Peer> {
  // A single module has the key that it always had, so that it is not compiled again.
  const key = cacheKey(['peer', JSON.stringify(modules.length === 1 ? modules[0] : modules)]);
  const place = join(DEFAULT_CACHE, 'built', key);
  const found = await findCached(place, 'hashes');
  const { dir } =
    found ??
    (await makeCached(place, 'hashes', async (into, scratch) => {
      const go = await goToolchain(DEFAULT_CACHE, log);
      for (const module of modules) {
        log(`${module.path} ${module.version}: compiling, which is done once`);
        await buildGoModule(go, module, into, scratch);
      }
      return modules.flatMap(({ programs, version }) =>
        Object.keys(programs).map((name) => ({ name, version, file: name })),
      );
    }));
  return { root: dir, versions: Object.fromEntries(modules.map(({ path, version }) => [path, version])) };
}

async function fetchedBefore(name: PeerName): Promise<Peer | undefined> {
  const isFetched = ['packages', 'root', 'pypi'].includes(PEERS[name].from);
  const found = isFetched ? await findCached(placeOf(name)) : undefined;
  return found && asPeer(found);
}

/** The name contains a hash of the table row, so that a changed row is fetched again. */
function placeOf(name: PeerName): string {
  return join(
    FETCHED,
    `${name}-${createHash('sha256').update(JSON.stringify(PEERS[name])).digest('hex').slice(0, 12)}`,
  );
}

async function asPeer({ dir }: CachedFolder): Promise<Peer> {
  // Only writeVersions writes this file, and makeCached publishes it complete.
  const versions: Peer['versions'] = JSON.parse(await readFile(join(dir, 'versions.json'), 'utf8'));
  return { root: join(dir, 'root'), versions };
}
