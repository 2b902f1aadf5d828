import { describe, expect, test } from 'vitest';

import { parseAssetIndex } from './parse-asset-index.ts';

const ENTRY = { name: 'runc', version: '1.1.5', arch: 'amd64', file: 'runc', sha256: 'a'.repeat(64), size: 10 };
const parse = (value: unknown) => parseAssetIndex(JSON.stringify(value), '/assets/index.json');

describe('an asset index', () => {
  test('is read', () => {
    expect(parse({ assets: [ENTRY] }).assets).toEqual([ENTRY]);
  });

  test.each([
    [{}, 'it holds no list "assets"'],
    [{ assets: [ENTRY, 7] }, 'assets[1]: not an object'],
    [{ assets: [{ ...ENTRY, sha256: 'short' }] }, 'assets[0]: sha256 must be 64 hex digits'],
    [{ assets: [{ ...ENTRY, digest: 'sha256:1' }] }, 'assets[0]: digest must be sha256: and 64 hex digits'],
    [{ assets: [{ ...ENTRY, arch: 'x86' }] }, 'assets[0]: arch must be amd64 or arm64'],
    [{ assets: [{ ...ENTRY, file: '' }] }, 'assets[0]: file must be a string'],
  ])('%j is refused with the place of the fault', (value, why) => {
    expect(() => parse(value)).toThrow(`cannot read the asset index /assets/index.json: ${why}`);
  });

  test('that is not JSON is refused', () => {
    expect(() => parseAssetIndex('{"assets": [', 'index.json')).toThrow(/cannot read the asset index index.json/);
  });
});
