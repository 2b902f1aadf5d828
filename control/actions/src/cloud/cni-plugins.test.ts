import { expect, test } from 'vitest';
import { namedCniPlugins } from './cni-plugins.ts';

const URL = 'https://files.example.com/cni.tgz';
const HASH = 'A'.repeat(64);

test('other CNI plugins are named by their address and hash', () => {
  const env = { CNI_VERSION_URL: URL, CNI_ASSET_HASH_STRING: HASH };
  expect(namedCniPlugins(env)).toEqual({ url: URL, sha256: 'a'.repeat(64) });
  expect(namedCniPlugins({})).toBeUndefined();
});

test.each([
  [{ CNI_VERSION_URL: URL }],
  [{ CNI_ASSET_HASH_STRING: HASH }],
  [{ CNI_VERSION_URL: URL, CNI_ASSET_HASH_STRING: 'abc' }],
  [{ CNI_VERSION_URL: 'file:///cni.tgz', CNI_ASSET_HASH_STRING: HASH }],
])('%j is refused: root would run what nobody pinned, or not what was meant', (env) => {
  expect(() => namedCniPlugins(env)).toThrow('use other CNI plugins');
});
