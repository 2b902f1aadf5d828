import { expect, test } from 'vitest';
import { parseManifest } from './image-manifest.ts';

const parse = (text: string) => parseManifest(Buffer.from(text), 'of/the-answer');
const digest = `sha256:${'a'.repeat(64)}`;

test('names each part once, and its own digest', () => {
  const found = parse(JSON.stringify({ config: { digest }, layers: [{ digest, size: 1 }], annotations: {} }));
  expect(found).toMatchObject({ type: 'of/the-answer', manifests: [], blobs: [digest] });
  expect(found.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test.each([
  ['a digest that leads elsewhere', { layers: [{ digest: '../../../../other/name/blobs/x' }] }],
  ['a tag in the place of a digest, which no bytes are compared with', { manifests: [{ digest: 'latest' }] }],
  ['a list that is none', { manifests: { digest } }],
])('%s is refused', (_, manifest) => {
  expect(() => parse(JSON.stringify(manifest))).toThrow(/digest|manifests/);
});

test('what is not JSON is refused', () => {
  expect(() => parse('<html>')).toThrow(/JSON/);
});
