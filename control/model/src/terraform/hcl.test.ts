import { expect, test } from 'vitest';
import { quote } from './hcl.ts';

test.each([
  ['${var.x}', '"$${var.x}"'],
  ['%{ if true }', '"%%{ if true }"'],
  ['say "hi"\n', String.raw`"say \"hi\"\n"`],
  ['\b\f\\b', String.raw`"\u0008\u000c\\b"`],
])('%j becomes a string of HCL without templates', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
