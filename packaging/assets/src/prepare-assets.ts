import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { withExclusiveLock } from '@kopsctl/state-store/file/exclusive-lock.ts';

import { aptRoot } from './apt-root.ts';
import type { AptRoot, Resolution, Wanted } from './apt-root.ts';
import { debianSources } from './apt-sources.ts';
import { archiveRecipes } from './archives.ts';
import { cacheKey, findCached, makeCached } from './cached-folder.ts';
import type { CachedFolder } from './cached-folder.ts';
import { imageRecipes, kubernetesImages } from './images.ts';
import { programRecipe } from './program-recipe.ts';
import type { ProgramSource } from './program-source.ts';
import type { ProgramRow } from './programs.ts';
import { kubernetesRow, programRows } from './programs.ts';
import { publish } from './publish.ts';
import type { Arch, Recipe } from './recipe.ts';
import { thingsFor } from './wants.ts';
import type { Wants } from './wants.ts';

export interface MakeOptions {
  /** Where results are kept between runs; on the same file system as `out` they are linked, not copied. */
  readonly cacheDir?: string;
  /** What clusters are to run; the newest Kubernetes unless told otherwise. */
  readonly wants?: Wants;
  /** In place of all that they need: these things, by name (`etcd-3.6`, `image/pause`). */
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

/**
 * Makes everything that clusters download and writes the index of it. What was made before from the same inputs is
 * taken from the cache without being read; a result is in its place only when it is whole.
 */
export async function prepareAssets(options: PrepareOptions): Promise<AssetIndex> {
  const { plan, folders, arch } = await make(options);
  return publish(plan, folders, arch, options.out);
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
  const { log, cacheDir = DEFAULT_CACHE, wants = { kubernetes: [RECOMMENDED_KUBERNETES] } } = options;
  const arch = hostArch();
  const apt = aptRoot(path.join(cacheDir, 'apt'), (own) => debianSources(own, RELEASE));
  const book = recipeBook(arch, wants, await ownRevision());
  const things = withNeeds(book, options.only ?? thingsFor(wants));

  const wanted = debianInputs(book);
  let resolution = await resolutionFor(apt, wanted, options);
  let plan = await planRecipes(book, things, resolution, cacheDir);
  const isStale = Date.now() - resolution.atMs > LISTS_MAX_AGE_MS;
  if (plan.some(({ recipe, cached }) => cached === undefined && usesDebian(recipe)) && isStale) {
    log('package lists: read again, for something is to be made');
    resolution = await apt.resolve(wanted);
    plan = await planRecipes(book, things, resolution, cacheDir);
  }

  return { plan, folders: await makeAll(plan, { arch, apt, cacheDir, log }), arch };
}

/** All that can be made, in an order in which needs come first: each thing with the recipes that give it, the best first. */
type RecipeBook = ReadonlyMap<string, readonly Alternative[]>;

interface Alternative {
  readonly recipe: Recipe;
  readonly isReachable: () => Promise<boolean>;
}

function recipeBook(arch: Arch, { kubernetes }: Wants, revision: string): RecipeBook {
  const rows = [...kubernetes.map((version) => kubernetesRow(version, arch)), ...programRows(arch)];
  const versionOf = (thing: string): string => rows.find((row) => row.thing === thing)?.version ?? '';
  const packed = [
    ...archiveRecipes(arch, versionOf, revision),
    ...kubernetes.flatMap((version) => kubernetesImages(version, arch, revision)),
    ...imageRecipes(arch, versionOf, revision),
  ];
  const alternatives = (row: ProgramRow): readonly Alternative[] =>
    row.sources.map((source: ProgramSource) => ({
      recipe: programRecipe(row, source, arch),
      isReachable: () => source.isReachable(),
    }));
  return new Map([
    ...rows.map((row) => [row.thing, alternatives(row)] as const),
    ...packed.map((recipe) => [recipe.thing, [{ recipe, isReachable: async () => true }]] as const),
  ]);
}

interface PlannedRecipe {
  readonly recipe: Recipe;
  /** Its place in the cache. */
  readonly dir: string;
  readonly cached: CachedFolder | undefined;
}

async function resolutionFor(apt: AptRoot, wanted: Wanted, { refresh, log }: MakeOptions): Promise<Resolution> {
  const known = refresh === true ? undefined : await apt.resolved(wanted);
  if (known !== undefined) return known;
  log("package lists: read from this machine's Debian mirror, to know which versions there are");
  return apt.resolve(wanted);
}

const recipesOf = (book: RecipeBook, thing: string): readonly Recipe[] =>
  (book.get(thing) ?? []).map(({ recipe }) => recipe);

/** The Debian packages whose versions are inputs of anything that can be made: asked for together, lists are read once. */
function debianInputs(book: RecipeBook): Wanted {
  const recipes = [...book.keys()].flatMap((thing) => recipesOf(book, thing));
  return {
    packages: [...new Set(recipes.flatMap(({ packages }) => packages))].sort(),
    sources: [...new Set(recipes.flatMap(({ sources }) => sources ?? []))].sort(),
  };
}

const usesDebian = ({ packages, sources = [] }: Recipe): boolean => packages.length + sources.length > 0;

/** The recipe of each thing: one whose result is in the cache, or else the first that can be reached. */
async function planRecipes(
  book: RecipeBook,
  things: readonly string[],
  resolution: Resolution,
  cacheDir: string,
): Promise<readonly PlannedRecipe[]> {
  const planned = new Map<string, PlannedRecipe & { readonly key: string }>();
  for (const thing of things) {
    const options = await Promise.all(
      (book.get(thing) ?? []).map(async ({ recipe, isReachable }) => {
        const needed = (recipe.needs ?? []).map((need) => planned.get(need)?.key ?? '');
        const key = keyOf(recipe, resolution, needed);
        const dir = cacheFolder(cacheDir, recipe, key);
        return { recipe, key, dir, cached: await findCached(dir, checkOf(recipe)), isReachable };
      }),
    );
    const chosen = options.find(({ cached }) => cached !== undefined) ?? (await firstReachable(options));
    if (chosen === undefined) throw new Error(`${thing} has no source`);
    planned.set(thing, chosen);
  }
  return [...planned.values()];
}

/** The last one is not asked: when nothing else can be reached, its own failure says most. */
async function firstReachable<T extends { isReachable(): Promise<boolean> }>(
  options: readonly T[],
): Promise<T | undefined> {
  for (const option of options.slice(0, -1)) if (await option.isReachable()) return option;
  return options.at(-1);
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

/** The things and all that they need, in an order in which needs come first. */
function withNeeds(book: RecipeBook, things: readonly string[]): readonly string[] {
  const unknown = things.filter((thing) => !book.has(thing));
  if (unknown.length > 0) {
    throw new ActionableError({
      what: `make ${unknown.join(', ')}`,
      why: 'no asset is called so',
      next: `choose from ${[...book.keys()].join(', ')}`,
    });
  }
  const needed = new Set(things.flatMap((thing) => recipesOf(book, thing)).flatMap(({ needs }) => needs ?? []));
  return [...book.keys()].filter((thing) => things.includes(thing) || needed.has(thing));
}

interface Shop {
  readonly arch: Arch;
  readonly apt: AptRoot;
  readonly cacheDir: string;
  readonly log: (line: string) => void;
}

/** Makes what is not cached, each as soon as what it needs is there. */
async function makeAll(
  plan: readonly PlannedRecipe[],
  { arch, apt, cacheDir, log }: Shop,
): Promise<ReadonlyMap<string, CachedFolder>> {
  const compileInTurn = inTurn(cacheDir);
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
          recipe.make({
            arch,
            dir: making,
            scratch,
            apt,
            cacheDir,
            log,
            need: (thing) => folderOf(folders, thing),
            compileInTurn,
          }),
        );
        folders.set(recipe.thing, made);
        const version = made.files[0]?.version ?? recipe.version;
        log(`${recipe.thing} ${version}: made from ${recipe.from} in ${seconds(Date.now() - startMs)}`);
        if (version !== recipe.version && version.split('.').length === recipe.version.split('.').length) {
          log(`${recipe.thing}: ${version} takes the place of ${recipe.version}, which cannot be had here`);
        }
      })(),
    );
  }
  const results = await Promise.allSettled(running.values());
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return folders;
}

/** As long as all that there is to compile may take on a busy machine. */
const COMPILE_LIMIT_MS = 2 * 60 * 60 * 1000;

/** Runs one piece of work after the other, those of other processes included. */
function inTurn(cacheDir: string): <T>(work: () => Promise<T>) => Promise<T> {
  const lock = { file: path.join(cacheDir, 'compile.lock'), what: 'compile', waitLimitMs: COMPILE_LIMIT_MS };
  return (work) => withExclusiveLock(lock, undefined, work);
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
