import { expect, test } from 'vitest';
import { jsonObject } from './json-object.ts';
import { documentOf } from './policy-document.ts';

test('a policy is parsed, plain or URL-encoded; none is empty', () => {
  expect(jsonObject('{"Version":"2012-10-17"}')).toEqual({ Version: '2012-10-17' });
  expect(documentOf('%7B%22Version%22%3A%222012-10-17%22%7D')).toEqual({ Version: '2012-10-17' });
  expect([jsonObject(undefined), documentOf(undefined)]).toEqual([{}, {}]);
});

test.each(['[]', 'null', '"text"'])('%s is not a policy', (text) => {
  expect(() => jsonObject(text)).toThrow('instead of a JSON object');
});
