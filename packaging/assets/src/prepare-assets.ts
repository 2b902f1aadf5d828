import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

import { aptRoot } from './apt-root.ts';
import type { AptRoot, Resolution, Wanted } from './apt-root.ts';
import { debianSources } from './apt-sources.ts';
import { ARCHIVE_PACKAGES, archiveRecipes } from './archives.ts';
import { cacheKey, findCached, makeCached } from './cached-folder.ts';
import type { CachedFolder } from './cached-folder.ts';
import { IMAGE_PACKAGES, imageRecipes } from './images.ts';
import {
  KUBERNETES_PACKAGES,
  KUBERNETES_SOURCES,
  KUBERNETES_VERSION,
  builtKubernetes,
  isReleaseReachable,
  releasedKubernetes,
} from './kubernetes.ts';
import { publish } from './publish.ts';
import type { Arch, Recipe } from './recipe.ts';

export interface MakeOptions {
  /** Where results are kept between runs; on the same file system as `out` they are linked, not copied. */
  readonly cacheDir?: string;
  /** Things to make, by name (`etcd`, `image/pause`), or the start of a name (`image`). Everything when empty. */
  readonly only?: readonly string[];
  /** Ask Debian for newer packages even when everything is at hand. */
  readonly refresh?: boolean;
  readonly log: (line: string) => void;
}

export interface PrepareOptions extends MakeOptions {
  /** Where the files and index.json go. */
  readonly out: string;
}

export const DEFAULT_CACHE = '/var/cache/kopsctl';

/** The release whose packages the nodes' own base image is made of, so that what is linked here runs there. */
const RELEASE = 'bookworm';

/** Before something is made anew the package lists should not be older than this. */
const LISTS_MAX_AGE_MS = 60 * 60 * 1000;

const WANTED: Wanted = {
  packages: [...new Set([...ARCHIVE_PACKAGES, ...IMAGE_PACKAGES, ...KUBERNETES_PACKAGES])].sort(),
  sources: KUBERNETES_SOURCES,
};

/**
 * Makes everything that a cluster downloads and writes the index of it. What was made before from the same inputs is
 * taken from the cache without being read; a result is in its place only when it is whole.
 */
export async function prepareAssets(options: PrepareOptions): Promise<AssetIndex> {
  const { plan, folders, arch } = await make(options);
  return publish(plan, folders, arch, options.out, options.only === undefined || options.only.length === 0);
}

/** The same without an index: the folder of each thing in the cache. */
export async function makeAssets(options: MakeOptions): Promise<ReadonlyMap<string, CachedFolder>> {
  return (await make(options)).folders;
}

interface MadeAssets {
  readonly plan: readonly PlannedRecipe[];
  readonly folders: ReadonlyMap<string, CachedFolder>;
  readonly arch: Arch;
}

async function make(options: MakeOptions): Promise<MadeAssets> {
  const { log, cacheDir = DEFAULT_CACHE } = options;
  const arch = hostArch();
  const apt = aptRoot(path.join(cacheDir, 'apt'), (own) => debianSources(own, RELEASE));

  let resolution = await resolutionFor(apt, options);
  let plan = await planRecipes(resolution, arch, cacheDir, options.only ?? []);
  const isStale = Date.now() - resolution.atMs > LISTS_MAX_AGE_MS;
  if (plan.some(({ cached }) => cached === undefined) && isStale) {
    log('package lists: read again, for something is to be made');
    resolution = await apt.resolve(WANTED);
    plan = await planRecipes(resolution, arch, cacheDir, options.only ?? []);
  }

  return { plan, folders: await makeAll(plan, { arch, apt, log }), arch };
}

interface PlannedRecipe {
  readonly recipe: Recipe;
  /** Its place in the cache. */
  readonly dir: string;
  readonly cached: CachedFolder | undefined;
}

async function resolutionFor(apt: AptRoot, { refresh, log }: MakeOptions): Promise<Resolution> {
  const known = refresh === true ? undefined : await apt.resolved(WANTED);
  if (known !== undefined) return known;
  log("package lists: read from this machine's Debian mirror, to know which versions there are");
  return apt.resolve(WANTED);
}

/** Every recipe that is wanted or needed by one that is, in an order in which needs come first. */
async function planRecipes(
  resolution: Resolution,
  arch: Arch,
  cacheDir: string,
  only: readonly string[],
): Promise<readonly PlannedRecipe[]> {
  const revision = await ownRevision();
  const kubernetes = await kubernetesRecipe(resolution, arch, cacheDir);
  const all = [
    kubernetes,
    ...archiveRecipes(resolution, arch, revision),
    ...imageRecipes(resolution, arch, KUBERNETES_VERSION, revision),
  ];
  const keys = new Map<string, string>();
  for (const recipe of all) {
    const needed = (recipe.needs ?? []).map((need) => keys.get(need) ?? '');
    keys.set(recipe.thing, keyOf(recipe, resolution, needed));
  }
  const wanted = selectWithNeeds(all, only);
  return Promise.all(
    wanted.map(async (recipe) => {
      const dir = cacheFolder(cacheDir, recipe, keys.get(recipe.thing) ?? '');
      return { recipe, dir, cached: await findCached(dir, checkOf(recipe)) };
    }),
  );
}

/** The release where its location answers (or did when it was cached), else the build from source. */
async function kubernetesRecipe(resolution: Resolution, arch: Arch, cacheDir: string): Promise<Recipe> {
  const candidates = [releasedKubernetes(arch), await builtKubernetes(arch)] as const;
  for (const recipe of candidates) {
    const dir = cacheFolder(cacheDir, recipe, keyOf(recipe, resolution, []));
    if ((await findCached(dir, checkOf(recipe))) !== undefined) return recipe;
  }
  return (await isReleaseReachable(arch)) ? candidates[0] : candidates[1];
}

function keyOf(recipe: Recipe, resolution: Resolution, needed: readonly string[]): string {
  const packages = recipe.packages.map((name) => `${name} ${resolution.packages[name]?.sha256 ?? ''}`);
  const sources = (recipe.sources ?? []).flatMap((name) =>
    (resolution.sources[name] ?? []).map(({ file, sha256 }) => `${file} ${sha256}`),
  );
  return cacheKey([recipe.thing, recipe.version, recipe.revision, ...packages, ...sources, ...needed]);
}

function cacheFolder(cacheDir: string, { thing, version, isBuilt }: Recipe, key: string): string {
  return isBuilt ? path.join(cacheDir, 'built', key) : path.join(cacheDir, thing, `${version}-${key}`);
}

const checkOf = ({ isBuilt }: Recipe): 'hashes' | 'times' => (isBuilt ? 'hashes' : 'times');

function selectWithNeeds(all: readonly Recipe[], only: readonly string[]): readonly Recipe[] {
  if (only.length === 0) return all;
  const isNamed = ({ thing }: Recipe): boolean => only.some((name) => thing === name || thing.startsWith(`${name}/`));
  const unknown = only.filter((name) => !all.some(({ thing }) => thing === name || thing.startsWith(`${name}/`)));
  if (unknown.length > 0) {
    throw new ActionableError({
      what: `make ${unknown.join(', ')}`,
      why: 'no asset is called so',
      next: `choose from ${all.map(({ thing }) => thing).join(', ')}`,
    });
  }
  const needed = new Set(all.filter(isNamed).flatMap(({ needs }) => needs ?? []));
  return all.filter((recipe) => isNamed(recipe) || needed.has(recipe.thing));
}

interface Shop {
  readonly arch: Arch;
  readonly apt: AptRoot;
  readonly log: (line: string) => void;
}

/** Makes what is not cached, each as soon as what it needs is there. */
async function makeAll(
  plan: readonly PlannedRecipe[],
  { arch, apt, log }: Shop,
): Promise<ReadonlyMap<string, CachedFolder>> {
  const folders = new Map<string, CachedFolder>();
  const running = new Map<string, Promise<void>>();
  for (const { recipe, dir, cached } of plan) {
    running.set(
      recipe.thing,
      (async () => {
        if (cached !== undefined) {
          log(`${recipe.thing} ${recipe.version}: cached`);
          folders.set(recipe.thing, cached);
          return;
        }
        await Promise.all((recipe.needs ?? []).map((need) => running.get(need) ?? Promise.resolve()));
        const startMs = Date.now();
        const made = await makeCached(dir, checkOf(recipe), (making, scratch) =>
          recipe.make({ arch, dir: making, scratch, apt, log, need: (thing) => folderOf(folders, thing) }),
        );
        folders.set(recipe.thing, made);
        log(`${recipe.thing} ${recipe.version}: made from ${recipe.from} in ${seconds(Date.now() - startMs)}`);
      })(),
    );
  }
  const results = await Promise.allSettled(running.values());
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return folders;
}

function folderOf(folders: ReadonlyMap<string, CachedFolder>, thing: string): CachedFolder {
  const folder = folders.get(thing);
  if (folder === undefined) throw new Error(`${thing} was not made before it was needed`);
  return folder;
}

/** The rules of making are part of what is made: a change to one of these files makes their results anew. */
async function ownRevision(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['archives.ts', 'images.ts', 'image-archive.ts', 'deterministic-tar.ts']) {
    hash.update(await readFile(path.join(import.meta.dirname, file)));
  }
  return hash.digest('hex');
}

function hostArch(): Arch {
  if (process.arch === 'x64') return 'amd64';
  if (process.arch === 'arm64') return 'arm64';
  throw new ActionableError({
    what: 'make assets',
    why: `this machine is ${process.arch}`,
    next: 'run on an amd64 or arm64 machine',
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
