import { expect, test } from 'vitest';
import { checkPackages, type Package } from './check-packages.ts';
import { readSource } from './read-source.ts';

const packages: readonly Package[] = [
  { name: '@k/a', folder: 'shared/a', modules: './src/*', dependencies: ['yaml'], devDependencies: ['execa'] },
  { name: '@k/b', folder: 'b', modules: './*', dependencies: ['@k/a'], devDependencies: [] },
];

/** The faults in files that would have none without what is added. */
function faultsWith(added: Readonly<Record<string, string>>): readonly string[] {
  const files = {
    'shared/a/src/one.ts':
      "import { parse } from 'yaml';\nimport { join } from 'node:path';\nexport const one = parse(join());",
    'shared/a/src/two.ts': "import { one } from './one.ts';\nconsole.log(one);",
    'shared/a/src/two.test.ts': "import { execa } from 'execa';\nimport { expect } from 'vitest';\nexpect(execa);",
    'b/three.ts': "import { one } from '@k/a/one.ts';\nconsole.log(one);",
    ...added,
  };
  const sources = Object.entries(files).map(([path, text]) => readSource(path, text));
  return checkPackages(packages, sources, { tools: ['vitest'] });
}

test('packages that declare what they import, and export what others import, have no fault', () => {
  expect(faultsWith({})).toEqual([]);
});

test.each([
  ["import { b } from '@k/b/three.ts'; b;", 'shared/a/src/x.ts imports @k/b: declare it in shared/a/package.json'],
  ["import { b } from 'other'; b;", 'shared/a/src/x.ts imports other: declare it in shared/a/package.json'],
  ["await import('other/deep.ts');", 'shared/a/src/x.ts imports other: declare it in shared/a/package.json'],
  ["export * from 'other';", 'shared/a/src/x.ts imports other: declare it in shared/a/package.json'],
  ["import { execa } from 'execa'; execa;", 'shared/a/src/x.ts imports execa: declare it in shared/a/package.json'],
  ["import { test } from 'vitest'; test;", 'shared/a/src/x.ts imports vitest: declare it in shared/a/package.json'],
])('a file with %s is undeclared use', (text, fault) => {
  expect(faultsWith({ 'shared/a/src/x.ts': text })).toEqual([fault]);
});

test('a test may use what is declared for development, and the tools of the repository', () => {
  const text = "import { execa } from 'execa'; import { test } from 'vitest'; test; execa;";
  expect(faultsWith({ 'shared/a/src/x.test.ts': text, 'shared/a/src/testing/x.ts': text })).toEqual([]);
});

test('a dependency that no file imports is named', () => {
  expect(faultsWith({ 'b/three.ts': '' })).toEqual(['b/package.json declares @k/a: no file of it imports that']);
  expect(faultsWith({ 'b/three.ts': "import.meta.resolve('@k/a');" })).toEqual([]);
});

test('a dependency that only tests import is one for development', () => {
  const use = "import { parse } from 'yaml'; parse;";
  const files = { 'shared/a/src/one.ts': 'export const one = 1;', 'b/three.ts': '', 'b/three.test.ts': '' };
  const fault = 'shared/a/package.json declares yaml: only tests import that, so it belongs in devDependencies';
  for (const path of ['x.test.ts', 'testing/x.ts', 'testdata/x.ts']) {
    expect(faultsWith({ ...files, 'b/three.ts': 'import "@k/a/one.ts";', [`shared/a/src/${path}`]: use })).toEqual([
      fault,
    ]);
  }
  expect(faultsWith({ 'shared/a/src/one.ts': 'export const one = 1;', 'shared/a/src/x.ts': use })).toEqual([]);
  expect(faultsWith({ 'shared/a/src/one.ts': "export const one = import.meta.resolve('yaml');" })).toEqual([]);
});

test('a package that is all tests needs nothing for development', () => {
  const all = [
    { name: '@k/test', folder: 'test/some', modules: './src/*', dependencies: ['yaml'], devDependencies: [] },
  ];
  const sources = [readSource('test/some/src/x.ts', "import { parse } from 'yaml'; parse;")];
  expect(checkPackages(all, sources, { tools: [] })).toEqual([]);
});

test.each(['export const x = 1;', 'export function x() {}', 'export class x {}', 'const x = 1; export { x };'])(
  'with %s an export that no other file imports is named',
  (text) => {
    expect(faultsWith({ 'b/x.ts': text })).toEqual(['b/x.ts exports x: no other file imports it']);
    for (const use of [
      "import { x } from './x.ts'; x;",
      "import * as x from './x.ts'; x;",
      "export * from './x.ts';",
    ]) {
      expect(faultsWith({ 'b/x.ts': text, 'b/y.ts': use })).toEqual([]);
    }
    expect(faultsWith({ 'b/x.ts': text, 'b/y.ts': "await import('./x.ts');" })).toEqual([]);
    expect(faultsWith({ 'b/x.ts': text, 'b/y.ts': "run({ setup: 'b/x.ts' });" })).toEqual([]);
  },
);

test('what is released exports nothing that only tests use', () => {
  const use = "import { x } from './x.ts'; x;";
  const fault = 'shared/a/src/x.ts exports x: only tests use it, so it belongs beside them';
  expect(faultsWith({ 'shared/a/src/x.ts': 'export const x = 1;', 'shared/a/src/x.test.ts': use })).toEqual([fault]);
  const usesItself = 'export const x = 1; x;';
  expect(faultsWith({ 'shared/a/src/x.ts': usesItself, 'shared/a/src/x.test.ts': use })).toEqual([]);
  expect(faultsWith({ 'b/x.ts': 'export const x = 1;', 'b/x.test.ts': use })).toEqual([]);
});

test('a type may be exported for a signature alone', () => {
  for (const text of [
    'export const x = (y: X) => y; export interface X {}',
    'const x = 1; export type { X }; type X = 1;',
  ]) {
    const use = "import { x } from './x.ts'; x;";
    expect(faultsWith({ 'b/x.ts': text, 'b/y.ts': use })).toEqual([]);
  }
});

test.each(['export interface X {}', 'export type X = 1;', "export type { X } from './three.ts';"])(
  'with %s an exported type that no file names is named',
  (text) => {
    expect(faultsWith({ 'b/x.ts': text })).toEqual(['b/x.ts exports the type X: no file names it']);
    for (const use of [
      "import type { X } from './x.ts'; const x: X = 1;",
      "import { type X } from './x.ts';",
      "export type { X } from './x.ts'; export type Y = X; const y: Y = 1;",
      "const x: import('./x.ts').X = 1;",
    ]) {
      expect(faultsWith({ 'b/x.ts': text, 'b/y.test.ts': use })).toEqual([]);
    }
    expect(faultsWith({ 'b/x.ts': text, 'b/y.ts': 'interface X {}; const x: X = 1;' })).toEqual([
      'b/x.ts exports the type X: no file names it',
    ]);
  },
);
