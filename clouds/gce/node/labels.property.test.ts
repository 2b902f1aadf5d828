import { assert, property, string, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { clusterLabel, decodeLabel, encodeLabel, isOfCluster } from './labels.ts';

test('every text is decoded from its label, which has only characters that a label may have', () => {
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      const label = encodeLabel(text);
      expect(label).toMatch(/^[0-9a-z-]*$/);
      expect(decodeLabel(label)).toBe(text);
    }),
  );
});

test('different texts have different labels', () => {
  const member = stringMatching(/^[a-z0-9-]{1,4}\/[a-z0-9,-]{1,8}$/);
  assert(
    property(member, member, (a, b) => {
      expect(encodeLabel(a) === encodeLabel(b)).toBe(a === b);
    }),
  );
});

test.each([
  ['a/a,b,c', 'a-2fa-2cb-2cc'],
  ['1/1', '1-2f1'],
  ['us-east1-a/us-east1-a', 'us-2deast1-2da-2fus-2deast1-2da'],
])('%s is written as kops writes it', (text, label) => {
  expect(encodeLabel(text)).toBe(label);
});

test.each(['a-', 'a-2', 'a-zz', '-ff'])('%s is not an encoded label', (label) => {
  expect(decodeLabel(label)).toBeUndefined();
});

test('a cluster is matched by its whole name', () => {
  expect(clusterLabel('demo.example.com')).toBe('demo-example-com');
  const isOurs = (label: string) => isOfCluster('demo.example.com', { 'k8s-io-cluster-name': label });
  expect(['demo-example-com', 'demo-example-com-2', 'x-demo-example-com', 'demo'].map(isOurs)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
