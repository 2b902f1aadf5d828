import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import { withExclusiveLock } from '@kopsctl/state-store/file/exclusive-lock.ts';

import { aptRoot } from './apt-root.ts';
import type { AptRoot, Resolution, Wanted } from './apt-root.ts';
import { debianSources } from './apt-sources.ts';
import { archiveRecipes } from './archives.ts';
import { findCached, makeCached } from './cached-folder.ts';
import type { CachedFolder } from './cached-folder.ts';
import { fromRegistry } from './from-registry.ts';
import { imageRows, type ImageVersions, kubernetesImages } from './images.ts';
import { ofAnotherVersion, planRecipes, requiredBy } from './plan-recipes.ts';
import type { Alternative, PlannedRecipe, RecipeBook } from './plan-recipes.ts';
import { programRecipe } from './program-recipe.ts';
import type { ProgramSource } from './program-source.ts';
import type { ProgramRow } from './programs.ts';
import { kubernetesRow, programRows } from './programs.ts';
import { publish } from './publish.ts';
import { NotProvided } from './recipe.ts';
import type { Arch, Recipe } from './recipe.ts';
import { askedRegistries, registryOf } from './registries.ts';
import type { Registries } from './registries.ts';
import { replacedVersion } from './replaced-version.ts';
import { thingsFor } from './wants.ts';
import type { Wants } from './wants.ts';

export interface MakeOptions {
  /** Where results are kept between runs; on the same file system as `out` they are linked, not copied. */
  readonly cacheDir?: string;
  /** What clusters are to run; the newest Kubernetes unless told otherwise. */
  readonly wants?: Wants;
  /** These things, by name (`etcd-3.6`, `image/pause`), in place of everything that clusters need. */
  readonly only?: readonly string[];
  /** Ask Debian for newer packages even when everything is at hand. */
  readonly refresh?: boolean;
  /** Used in place of the registries that this machine reaches by https. */
  readonly registries?: Registries;
  readonly log: (line: string) => void;
  /** Called with how many of the things are there, whenever another one is. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface PrepareOptions extends MakeOptions {
  /** Where the files and index.json go. */
  readonly out: string;
}

export const DEFAULT_CACHE = '/var/cache/kopsctl';

/** The release whose packages the nodes' own base image is made of, so that what is linked here runs there. */
const RELEASE = 'bookworm';

/** Before something is made again, the package lists should not be older than this. */
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
  const http = openHttp({ keepAlive: false });
  try {
    return await makeOver(http, options);
  } finally {
    http.close();
  }
}

async function makeOver(http: Http, options: MakeOptions): Promise<MadeAssets> {
  const {
    log,
    onProgress = () => {},
    cacheDir = DEFAULT_CACHE,
    wants = { kubernetes: [RECOMMENDED_KUBERNETES] },
  } = options;
  const arch = hostArch();
  const apt = aptRoot(path.join(cacheDir, 'apt'), (own) => debianSources(own, RELEASE));
  const book = recipeBook({ arch, http, registries: options.registries }, wants, await ownRevision());
  const things = options.only ?? thingsFor(wants);
  const wanted = debianInputs(book);
  let resolution = await resolutionFor(apt, wanted, options);
  const folders = new Map<string, CachedFolder>();
  const refused = new Map<Recipe, string>();
  const planAgain = () => planRecipes(book, things, { cacheDir, resolution, refused, findCached: findMade });

  // Ends, because each round leaves fewer alternatives.
  for (;;) {
    let plan = await planAgain();
    const isStale = Date.now() - resolution.atMs > LISTS_MAX_AGE_MS;
    if (plan.some(({ recipe, cached }) => cached === undefined && usesDebian(recipe)) && isStale) {
      log('package lists: read again, because something has to be made');
      resolution = await apt.resolve(wanted);
      plan = await planAgain();
    }
    const turnedDown = await makeAll(plan, { arch, apt, http, cacheDir, log, onProgress }, folders);
    const useless = ofAnotherVersion(plan, folders);
    if (turnedDown.size + useless.size === 0) return { plan, folders, arch };
    for (const [recipe, why] of [...turnedDown, ...useless]) refused.set(recipe, why);
    for (const { thing } of useless.keys()) folders.delete(thing);
  }
}

const findMade = (dir: string, recipe: Recipe): Promise<CachedFolder | undefined> => findCached(dir, checkOf(recipe));

interface Surroundings {
  readonly arch: Arch;
  readonly http: Http;
  readonly registries: Registries | undefined;
}

function recipeBook({ arch, http, registries }: Surroundings, { kubernetes }: Wants, revision: string): RecipeBook {
  const rows = [...kubernetes.map((version) => kubernetesRow(version, arch)), ...programRows(arch)];
  const versionsOf = (thing: string): ImageVersions => {
    const { version = '', released = version } = rows.find((row) => row.thing === thing) ?? {};
    return { release: released, module: version };
  };
  const images = [
    ...kubernetes.flatMap((version) => kubernetesImages(version, arch, revision)),
    ...imageRows(arch, versionsOf, revision),
  ];
  const asked =
    registries ?? askedRegistries([...new Set(images.map(({ published }) => registryOf(published.reference)))]);
  const programs = (row: ProgramRow): readonly Alternative[] =>
    row.sources.map((source: ProgramSource) => ({
      recipe: programRecipe(row, source, arch),
      whyNot: async () => ((await source.isReachable(http)) ? undefined : `${source.from} does not answer`),
    }));
  return new Map([
    ...rows.map((row) => [row.thing, programs(row)] as const),
    ...archiveRecipes(arch, (thing) => versionsOf(thing).module, revision).map(
      (recipe) => [recipe.thing, [onlyWay(recipe)]] as const,
    ),
    ...images.map(({ published, packed, whyNotMade }) => {
      const whyNot = async (): Promise<string | undefined> => {
        const why = await asked.whyNot(registryOf(published.reference));
        return why === undefined || whyNotMade === undefined ? why : `${why}; it is not made here: ${whyNotMade}`;
      };
      const pulled = { recipe: fromRegistry(published, arch, asked), whyNot };
      return [published.thing, packed === undefined ? [pulled] : [pulled, onlyWay(packed)]] as const;
    }),
  ]);
}

const onlyWay = (recipe: Recipe): Alternative => ({ recipe, whyNot: async () => undefined });

async function resolutionFor(apt: AptRoot, wanted: Wanted, { refresh, log }: MakeOptions): Promise<Resolution> {
  const known = refresh === true ? undefined : await apt.resolved(wanted);
  if (known !== undefined) return known;
  log("package lists: read from this machine's Debian mirror, to find out which versions there are");
  return apt.resolve(wanted);
}

/** The Debian packages whose versions are inputs of anything that can be made: asked for together, lists are read once. */
function debianInputs(book: RecipeBook): Wanted {
  const recipes = [...book.values()].flat().map(({ recipe }) => recipe);
  return {
    packages: [...new Set(recipes.flatMap(({ packages }) => packages))].sort(),
    sources: [...new Set(recipes.flatMap(({ sources }) => sources ?? []))].sort(),
  };
}

const usesDebian = ({ packages, sources = [] }: Recipe): boolean => packages.length + sources.length > 0;

const checkOf = ({ isBuilt }: Recipe): 'hashes' | 'times' => (isBuilt ? 'hashes' : 'times');

interface Shop {
  readonly arch: Arch;
  readonly apt: AptRoot;
  readonly http: Http;
  readonly cacheDir: string;
  readonly log: (line: string) => void;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Makes what is not cached, each as soon as what it needs is there, and adds it to `folders`. Returns the recipes whose
 * source turned out not to have the thing, and why.
 */
async function makeAll(
  plan: readonly PlannedRecipe[],
  shop: Shop,
  folders: Map<string, CachedFolder>,
): Promise<ReadonlyMap<Recipe, string>> {
  const compileInTurn = inTurn(shop.cacheDir);
  const refused = new Map<Recipe, string>();
  const running = new Map<string, Promise<void>>();
  for (const planned of plan.filter(({ recipe }) => !folders.has(recipe.thing))) {
    const { recipe, cached } = planned;
    const makeOne = async (): Promise<void> => {
      if (cached !== undefined) {
        shop.log(`${recipe.thing} ${versionOf(recipe, cached)}: cached, made from ${recipe.from}`);
        tellReplaced(recipe, cached, shop.log);
        folders.set(recipe.thing, cached);
        return;
      }
      await Promise.all(requiredBy(recipe).map((need) => running.get(need) ?? Promise.resolve()));
      const startMs = Date.now();
      const need = (thing: string): CachedFolder => folderOf(folders, thing);
      try {
        const made = await makeCached(planned.dir, checkOf(recipe), (dir, scratch) =>
          recipe.make({ ...shop, dir, scratch, need, compileInTurn }),
        );
        folders.set(recipe.thing, made);
        sayMade(planned, made, Date.now() - startMs, shop.log);
        shop.onProgress(folders.size, plan.length);
      } catch (error) {
        if (error instanceof NotProvided) refused.set(recipe, error.message);
        throw error;
      }
    };
    running.set(recipe.thing, makeOne());
  }
  const results = await Promise.allSettled(running.values());
  const failed = results.find((result) => result.status === 'rejected' && !(result.reason instanceof NotProvided));
  if (failed?.status === 'rejected') throw failed.reason;
  return refused;
}

function sayMade({ recipe, reasons }: PlannedRecipe, made: CachedFolder, ms: number, log: Shop['log']): void {
  const why = reasons.length === 0 ? '' : `, because ${reasons.join('; ')}`;
  log(`${recipe.thing} ${versionOf(recipe, made)}: made from ${recipe.from} in ${seconds(ms)}${why}`);
  tellReplaced(recipe, made, log);
}

const versionOf = (recipe: Recipe, { files }: CachedFolder): string => files[0]?.version ?? recipe.version;

function tellReplaced(recipe: Recipe, { files }: CachedFolder, log: Shop['log']): void {
  const made = replacedVersion(recipe, files);
  if (made === undefined) return;
  log(`${recipe.thing}: ${made} replaces ${recipe.version}, which is not available here`);
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

/** The rules of making are part of what is made: after a change to one of these files, the results are made again. */
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
