import { expect, test } from 'vitest';
import { importGraph } from './check-packages.ts';
import { importCircles } from './import-circles.ts';
import { readSource } from './read-source.ts';

const packages = [
  { name: '@kopsctl/a', folder: 'control/a', modules: './src/*', dependencies: [], devDependencies: [] },
  { name: '@kopsctl/b', folder: 'control/b', modules: './src/*', dependencies: [], devDependencies: [] },
];

const circlesOf = (files: Readonly<Record<string, string>>) =>
  importCircles(
    importGraph(
      packages,
      Object.entries(files).map(([path, text]) => readSource(path, text)),
    ),
  );

test.each([
  ['a static import', "import { x } from './two.ts';"],
  ['an import of a type', "import type { X } from './two.ts';"],
  ['a type within an import', "import { type X } from './two.ts';"],
  ['a re-export', "export * from './two.ts';"],
  ['a re-export of a type', "export type { X } from './two.ts';"],
  ['an import at run time', "export const load = async () => (await import('./two.ts')).x;"],
  ['a type by its module', "export type X = import('./two.ts').X;"],
  ['the type of a module', "export const x = {} as typeof import('./two.ts');"],
  ['an import by the name of the package', "import { x } from '@kopsctl/a/two.ts';"],
])('A circle that %s closes is found', (_form, text) => {
  const files = { 'control/a/src/one.ts': text, 'control/a/src/two.ts': "import { one } from './one.ts';" };
  expect(circlesOf(files)).toEqual([['control/a/src/one.ts', 'control/a/src/two.ts']]);
});

test('A circle across packages is found, however long it is, and named once', () => {
  const files = {
    'control/a/src/one.ts': "import { x } from '@kopsctl/b/two.ts';",
    'control/a/src/three.ts': "import type { X } from './one.ts';",
    'control/b/src/two.ts': "const load = () => import('@kopsctl/a/three.ts');",
    'control/b/src/outside.ts': "import { x } from './two.ts';",
  };
  expect(circlesOf(files)).toEqual([['control/a/src/one.ts', 'control/b/src/two.ts', 'control/a/src/three.ts']]);
});

test('Files that share what they import make no circle', () => {
  const files = {
    'control/a/src/one.ts': "import { x } from './two.ts'; import { y } from './three.ts';",
    'control/a/src/two.ts': "import { y } from './three.ts'; import { readFile } from 'node:fs/promises';",
    'control/a/src/three.ts': 'export const y = 1;',
  };
  expect(circlesOf(files)).toEqual([]);
});

test('one way around is told of modules that all import each other', () => {
  const files = {
    'control/a/src/one.ts': "import './two.ts'; import './three.ts';",
    'control/a/src/two.ts': "import './one.ts'; import './three.ts';",
    'control/a/src/three.ts': "import './two.ts';",
  };
  expect(circlesOf(files)).toEqual([['control/a/src/one.ts', 'control/a/src/two.ts']]);
});
