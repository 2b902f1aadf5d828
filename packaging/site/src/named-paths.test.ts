import { expect, test } from 'vitest';

import { namedPaths } from './named-paths.ts';

test.each([
  ['in `shared/spec/src/complete/`', ['shared/spec/src/complete/']],
  ['`control/cli/src/main.ts`, twice: `control/cli/src/main.ts`', ['control/cli/src/main.ts']],
  ['`clouds/<cloud>/control/traits.ts`', ['clouds/*/control/traits.ts']],
  ['`packaging/assets/src/{programs,images}.ts`', ['packaging/assets/src/{programs,images}.ts']],
  ['`control/restore.json` of a state store', []],
  ['`node test/architecture/src/main.ts`, `traits.ts` and test/vm', []],
  ['```\n`shared/gone.ts`\n```\n\n`shared/spec/`', ['shared/spec/']],
])('%j names %j', (document, expected) => {
  expect(namedPaths(document)).toEqual(expected);
});

test('A document with a folder of its own names paths in it', () => {
  expect(namedPaths('`control/traits.ts`, `node/part.ts`, `shared/spec/`', 'test/toy')).toEqual([
    'test/toy/control/traits.ts',
    'test/toy/node/part.ts',
    'shared/spec/',
  ]);
});
