import { expect, test } from 'vitest';
import { type Asset, assetCatalog } from './asset-catalog.ts';

const entry = (name: string, version: string): Asset => ({
  name,
  version,
  arch: 'amd64',
  file: `${name}-${version}`,
  sha256: 'a'.repeat(64),
  size: 1,
});
const catalog = assetCatalog(
  {
    assets: ['1.6.20', '2.1.4', '2.4.2']
      .map((version) => entry('containerd', version))
      .concat(entry('runc', 'nightly')),
  },
  'amd64',
  [],
);

test.each([
  ['2.1.4', undefined, '2.1.4'],
  ['2.2.0', undefined, '2.1.4'],
  ['1.7.28', undefined, '1.6.20'],
  ['1.7.28', '>=2.1.0', '2.4.2'],
  [undefined, undefined, '2.4.2'],
  [undefined, '<2.0.0', '1.6.20'],
])('of the containerd that there are, %s in the range %s is %s', (wanted, range, found) => {
  expect(catalog.prefer('containerd', wanted, range).version).toBe(found);
});

test('a version that is no number is found, where any version does', () => {
  expect(catalog.prefer('runc', 'nightly').version).toBe('nightly');
});

test('where none is in the range, the error lists those that there are', () => {
  expect(() => catalog.prefer('containerd', '3.0.0', '>=3.0.0')).toThrow(
    'cannot find the asset containerd >=3.0.0 for amd64: the asset index lists only 2.4.2, 2.1.4, 1.6.20',
  );
});
