import { expect, test } from 'vitest';
import { settingsOf } from './create-cluster-flags.ts';
import { wordsWithCommas } from './words-with-commas.ts';

test.each([
  ['', []],
  ['a', ['a']],
  ['a,b', ['a', 'b']],
  ['a,', ['a', '']],
  ['"a,b",c', ['a,b', 'c']],
  ['a,"b,c"', ['a', 'b,c']],
  ['"a ""b"" c"', ['a "b" c']],
  ['"a"b",c', ['a"b', 'c']],
  ['"a,b', ['a,b']],
  ['""', ['']],
  ['spec.cloudLabels["a"]=b,c', ['spec.cloudLabels["a"]=b', 'c']],
])('%j are the words %j', (text, words) => {
  expect(wordsWithCommas(text).map((one) => one.text)).toEqual(words);
});

test.each([
  [['spec.a=1,spec.b=2'], ['spec.a=1', 'spec.b=2']],
  // kops refuses this one without quotes.
  [['spec.a=1,2,spec.b=3'], ['spec.a=1,2', 'spec.b=3']],
  [['"spec.a=1,2",cluster.spec.b=3'], ['spec.a=1,2', 'cluster.spec.b=3']],
  [
    ['"spec.a=x,spec.b=y"', 'spec.c=z'],
    ['spec.a=x,spec.b=y', 'spec.c=z'],
  ],
  [['spec.cloudLabels["a.b/c"]=d'], ['spec.cloudLabels["a.b/c"]=d']],
])('--set %j are the settings %j', (words, settings) => {
  expect(settingsOf(words)).toEqual(settings);
});
