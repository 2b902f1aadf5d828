import { expect, test } from 'vitest';
import { focusOn, missingFrom, SUBSET } from './subset.ts';

test('the focus matches the tests of the subset alone', () => {
  const focus = new RegExp(focusOn(SUBSET));
  for (const name of SUBSET) expect(`${name} [Conformance]`).toMatch(focus);
  expect('[sig-node] Pods should get a host IP [NodeConformance] [Conformance]').not.toMatch(focus);
});

test('a test that a release no longer has is named', () => {
  expect(missingFrom(SUBSET.map((name) => `${name} [Conformance]`))).toEqual([]);
  expect(missingFrom(SUBSET.slice(1))).toEqual(SUBSET.slice(0, 1));
});
