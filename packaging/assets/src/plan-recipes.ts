import path from 'node:path';

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

import type { Resolution } from './apt-root.ts';
import { cacheKey } from './cached-folder.ts';
import type { CachedFolder } from './cached-folder.ts';
import type { Recipe } from './recipe.ts';

/** One way to get a thing. */
export interface Alternative {
  readonly recipe: Recipe;
  /** Why it cannot be taken on this machine, as far as one short question tells; undefined where it can. */
  readonly whyNot: () => Promise<string | undefined>;
}

/** All that can be made, in an order in which needs come first: each thing with its alternatives, the best first. */
export type RecipeBook = ReadonlyMap<string, readonly Alternative[]>;

export interface PlannedRecipe {
  readonly recipe: Recipe;
  /** Its place in the cache. */
  readonly dir: string;
  readonly cached: CachedFolder | undefined;
  /** Why the better alternatives are not taken. */
  readonly reasons: readonly string[];
}

export interface PlanFacts {
  readonly cacheDir: string;
  readonly resolution: Resolution;
  /** Recipes whose source turned out not to have the thing, and why. */
  readonly refused: ReadonlyMap<Recipe, string>;
  readonly findCached: (dir: string, recipe: Recipe) => Promise<CachedFolder | undefined>;
}

/** A thing that no source provides to this machine. */
export class NoSourceError extends ActionableError {
  override readonly name: string = 'NoSourceError';
  readonly thing: string;

  constructor(thing: string, reasons: readonly string[]) {
    super({
      what: `make ${thing}`,
      why: reasons.length === 0 ? 'it has no source' : reasons.join('; '),
      next: 'check that this machine reaches one of these, then run the same command again',
    });
    this.thing = thing;
  }
}

interface Choice extends PlannedRecipe {
  readonly key: string;
}

/**
 * The recipe of each thing, and of all that it needs, in an order in which needs come first: one whose result is in the
 * cache, or else the first whose source can be reached.
 */
export async function planRecipes(
  book: RecipeBook,
  things: readonly string[],
  facts: PlanFacts,
): Promise<readonly PlannedRecipe[]> {
  refuseUnknown(book, things);
  const chosen = new Map<string, Promise<Choice>>();
  const choose = (thing: string): Promise<Choice> => {
    const choice = chosen.get(thing) ?? chooseRecipe(thing, book.get(thing) ?? [], choose, facts);
    chosen.set(thing, choice);
    return choice;
  };
  const planned = new Map<string, PlannedRecipe>();
  const add = async (thing: string): Promise<void> => {
    if (planned.has(thing)) return;
    const choice = await choose(thing);
    planned.set(thing, choice);
    if (choice.cached !== undefined) return;
    for (const need of requiredBy(choice.recipe)) await add(need);
  };
  for (const thing of things) await add(thing);
  return [...book.keys()].flatMap((thing) => planned.get(thing) ?? []);
}

export const requiredBy = ({ needs = [], tools = [] }: Recipe): readonly string[] => [...needs, ...tools];

/** Recipes whose result has another version than what it is used together with, and why they are of no use. */
export function ofAnotherVersion(
  plan: readonly Pick<PlannedRecipe, 'recipe'>[],
  folders: ReadonlyMap<string, Pick<CachedFolder, 'files'>>,
): ReadonlyMap<Recipe, string> {
  const unequal = plan.flatMap(({ recipe }): readonly (readonly [Recipe, string])[] => {
    const version = folders.get(recipe.sameVersionAs ?? '')?.files[0]?.version;
    if (version === undefined || version === recipe.version) return [];
    return [[recipe, `${recipe.sameVersionAs} is ${version}`]];
  });
  return new Map(unequal);
}

function refuseUnknown(book: RecipeBook, things: readonly string[]): void {
  const unknown = things.filter((thing) => !book.has(thing));
  if (unknown.length === 0) return;
  throw new ActionableError({
    what: `make ${unknown.join(', ')}`,
    why: 'there is no such asset',
    next: `choose from ${[...book.keys()].join(', ')}`,
  });
}

async function chooseRecipe(
  thing: string,
  alternatives: readonly Alternative[],
  choose: (thing: string) => Promise<Choice>,
  { refused, resolution, cacheDir, findCached }: PlanFacts,
): Promise<Choice> {
  const options: (Choice & Alternative)[] = [];
  for (const alternative of alternatives) {
    const { recipe } = alternative;
    const needed: string[] = [];
    for (const need of recipe.needs ?? []) needed.push((await choose(need)).key);
    const key = keyOf(recipe, resolution, needed);
    const dir = cacheFolder(cacheDir, recipe, key);
    options.push({ ...alternative, key, dir, cached: await findCached(dir, recipe), reasons: [] });
  }
  const cached = options.find((option) => option.cached !== undefined && !refused.has(option.recipe));
  if (cached !== undefined) return cached;
  const reasons: string[] = [];
  for (const option of options) {
    const reason = refused.get(option.recipe) ?? (await option.whyNot());
    if (reason === undefined) return { ...option, reasons };
    reasons.push(reason);
  }
  throw new NoSourceError(thing, reasons);
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
