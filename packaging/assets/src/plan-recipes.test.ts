import { describe, expect, test } from 'vitest';

import { ofAnotherVersion, planRecipes } from './plan-recipes.ts';
import type { Alternative, PlanFacts } from './plan-recipes.ts';
import type { Recipe } from './recipe.ts';

const recipe = (thing: string, from: string, more: Partial<Recipe> = {}): Recipe => ({
  thing,
  version: '1',
  from,
  packages: [],
  revision: from,
  make: async () => [],
  ...more,
});
const way = (of: Recipe, reason?: string): Alternative => ({ recipe: of, whyNot: async () => reason });

const PROGRAM = recipe('programs/tool', 'its module');
const PULLER = recipe('programs/puller', 'its release');
const PULLED = recipe('image/tool', 'registry.test', { tools: ['programs/puller'] });
const PACKED = recipe('image/tool', 'programs/tool', { needs: ['programs/tool'] });

const facts = (refused: readonly (readonly [Recipe, string])[] = [], cached: readonly Recipe[] = []): PlanFacts => ({
  cacheDir: '/cache',
  resolution: { atMs: 0, packages: {}, sources: {} },
  refused: new Map(refused),
  findCached: async (dir, one) => (cached.includes(one) ? { dir, files: [] } : undefined),
});

interface Situation {
  readonly reason?: string;
  readonly refused?: readonly (readonly [Recipe, string])[];
  readonly cached?: readonly Recipe[];
}

async function plan({ reason, refused = [], cached = [] }: Situation, things = ['image/tool']) {
  const book = new Map([
    ['programs/tool', [way(PROGRAM)]],
    ['programs/puller', [way(PULLER)]],
    ['image/tool', [way(PULLED, reason), way(PACKED)]],
  ]);
  const planned = await planRecipes(book, things, facts(refused, cached));
  return planned.map(({ recipe: { thing, from }, reasons }) => [thing, from, ...reasons]);
}

describe('the recipe of a thing', () => {
  test('is the first whose source answers, with what it is made with', async () => {
    expect(await plan({})).toEqual([
      ['programs/puller', 'its release'],
      ['image/tool', 'registry.test'],
    ]);
  });

  test('is the next one where the first does not answer, with the reason', async () => {
    expect(await plan({ reason: 'registry.test does not answer' })).toEqual([
      ['programs/tool', 'its module'],
      ['image/tool', 'programs/tool', 'registry.test does not answer'],
    ]);
  });

  test('is the next one where the first turned out not to have it', async () => {
    expect(await plan({ refused: [[PULLED, 'not found']] })).toEqual([
      ['programs/tool', 'its module'],
      ['image/tool', 'programs/tool', 'not found'],
    ]);
  });

  test('is the one whose result is in the cache, and nothing is needed for it', async () => {
    expect(await plan({ cached: [PACKED] })).toEqual([['image/tool', 'programs/tool']]);
  });

  test('is the next one although it is in the cache, where it turned out to be of no use', async () => {
    expect(await plan({ cached: [PULLED], refused: [[PULLED, 'programs/tool is 2']] })).toEqual([
      ['programs/tool', 'its module'],
      ['image/tool', 'programs/tool', 'programs/tool is 2'],
    ]);
  });

  test('is refused where every source was asked in vain', async () => {
    const refused = [[PULLED, 'not found'] as const, [PACKED, 'no compiler'] as const];
    await expect(plan({ refused })).rejects.toThrow('cannot make image/tool: not found; no compiler');
  });

  test('is refused before anything is made where its only source does not answer', async () => {
    const book = new Map([['image/tool', [way(PULLED, 'registry.test does not answer; it is not made here: why')]]]);
    await expect(planRecipes(book, ['image/tool'], facts())).rejects.toThrow(
      'cannot make image/tool: registry.test does not answer; it is not made here: why',
    );
  });

  test('is refused for a name that nothing has', async () => {
    await expect(plan({}, ['image/other'])).rejects.toThrow('cannot make image/other: there is no such asset');
  });
});

test('another containerd that pulls does not change the place of an image, another program in it does', async () => {
  const dirs = async (changed?: Recipe): Promise<readonly string[]> => {
    const now = (one: Recipe): Alternative => way(one === changed ? { ...one, revision: 'changed' } : one);
    const book = new Map([
      ['programs/tool', [now(PROGRAM)]],
      ['programs/puller', [now(PULLER)]],
      ['image/pulled', [way({ ...PULLED, thing: 'image/pulled' })]],
      ['image/packed', [way({ ...PACKED, thing: 'image/packed' })]],
    ]);
    const planned = await planRecipes(book, ['image/pulled', 'image/packed'], facts());
    return planned.flatMap(({ recipe: { thing }, dir }) => (thing.startsWith('image/') ? [dir] : []));
  };
  const [pulled, packed] = await dirs();
  expect(await dirs(PULLER)).toEqual([pulled, packed]);
  expect(await dirs(PROGRAM)).toEqual([pulled, expect.not.stringMatching(packed ?? '')]);
});

test('a pulled image is useless beside programs of another version', () => {
  const pulled = recipe('image/tool', 'registry.test', { version: '1.34.9', sameVersionAs: 'programs/tool' });
  const besides = (version: string) => {
    const files = [{ name: 'tool', version, file: 'tool', sha256: '', size: 0, mtimeMs: 0 }];
    return [...ofAnotherVersion([{ recipe: pulled }, { recipe: PROGRAM }], new Map([['programs/tool', { files }]]))];
  };
  expect(besides('1.34.9')).toEqual([]);
  expect(besides('1.34.4')).toEqual([[pulled, 'programs/tool is 1.34.4']]);
  expect([...ofAnotherVersion([{ recipe: pulled }], new Map())]).toEqual([]);
});
