import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '@kopsctl/packaging-binary/bundle.ts';
import { expect, test } from 'vitest';

import { namedPaths } from './named-paths.ts';

/** Documents that say of paths below which folder they are. */
const BASES: Readonly<Record<string, string>> = { 'docs/clouds.md': 'test/clouds/src/toy-cloud' };

test('every path of the repository that the documentation names exists', () => {
  const documents = globSync('docs/**/*.md', { cwd: ROOT });
  const named = documents.flatMap((document) =>
    namedPaths(readFileSync(path.join(ROOT, document), 'utf8'), BASES[document]).map((at) => ({ document, at })),
  );
  expect(named.length).toBeGreaterThan(200);
  const gone = named
    .filter(({ at }) => globSync(at, { cwd: ROOT }).length === 0)
    .map(({ document, at }) => `${document} names ${at}`);
  expect(gone).toEqual([]);
});
