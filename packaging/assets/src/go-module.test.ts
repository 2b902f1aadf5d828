import { expect, test } from 'vitest';

import { nearestFirst } from './from-go-module.ts';
import { goMod } from './go-module.ts';
import { isNewEnough } from './go-toolchain.ts';

const kubernetes = { path: 'k8s.io/kubernetes', version: 'v1.36.3', programs: {} };

test('a module of a repository that is replaced by a folder is required as it was published', () => {
  const text = goMod(kubernetes, '1.26.0', {
    Require: [
      { Path: 'k8s.io/api', Version: 'v0.0.0' },
      { Path: 'k8s.io/utils', Version: 'v0.0.0-20250604170112-4c0f3b243397' },
    ],
    Replace: [
      { Old: { Path: 'k8s.io/api' }, New: { Path: './staging/src/k8s.io/api' } },
      { Old: { Path: 'k8s.io/utils' }, New: { Path: './utils' } },
    ],
  });
  expect(text.split('\n')).toEqual([
    'module programs',
    'go 1.26.0',
    'require k8s.io/kubernetes v1.36.3',
    'replace k8s.io/api => k8s.io/api v0.36.3',
    '',
  ]);
});

test('what a module replaces by another module is replaced here too', () => {
  const replaced = { Old: { Path: 'a', Version: 'v1.0.0' }, New: { Path: 'b', Version: 'v1.1.0' } };
  const text = goMod({ ...kubernetes, requires: ['c@v2.0.0'] }, undefined, { Replace: [replaced] });
  expect(text).toContain('require c v2.0.0\nreplace a v1.0.0 => b v1.1.0\n');
});

test('neighbours of a version are of the same minor version, the nearest first, and released', () => {
  const published = ['v1.35.4', 'v1.36.0', 'v1.36.1', 'v1.36.2-rc.0', 'v1.36.3', 'v1.36.5', 'v1.37.0'];
  expect(nearestFirst('1.36.3', published)).toEqual(['1.36.3', '1.36.5', '1.36.1', '1.36.0']);
});

test.each([
  ['go1.20.14', false],
  ['go1.21', true],
  ['go1.26.8\n', true],
  ['go2.0', true],
  ['devel go1.27-abc', false],
  ['', false],
])('%j is new enough to fetch the toolchain of a module: %j', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});
