import { expect, test } from 'vitest';
import { cloudIds } from './cloud-ids.ts';

const found = (text: string): readonly string[] =>
  cloudIds('some.ts', text).map(({ line, cloud, form }) => `${line} ${cloud}: ${form}`);

test.each([
  ["if (image.startsWith('ami-')) go();", ['1 ami-: id of a cloud']],
  ["const isList = (text: string) =>\n  text.startsWith('pl-');", ['2 pl-: id of a cloud']],
  ["const isOld = machineType?.startsWith('t2.') === true;", ['1 t2.: id of a cloud']],
  ["const size = 'm5.large';", ['1 m5.large: id of a cloud']],
  ['const role = `arn:aws:iam::${account}:role/a`;', ['1 arn:aws:iam::: id of a cloud']],
  ["type Egress = 'eipalloc-1' | 'other';", ['1 eipalloc-1: id of a cloud']],
  ["const table = { 'sg-1': go };", ['1 sg-1: id of a cloud']],
  ["const ways = ['tgw-', 'i-'];", ['1 tgw-: id of a cloud']],
  ['const yes = /^ami-[0-9a-f]+$/.test(image);', ['1 ami-[0-9a-f]+$: pattern of ids']],
  ['const ARN = /^arn:(aws|aws-cn):/;', ['1 arn:: pattern of ids']],
  ['const OLD = /^(?:m1|t2\\.)/;', ['1 t2.: pattern of ids']],
  ['const WAY = /^(other-|igw-)/;', ['1 igw-: pattern of ids']],
])('%j is of one cloud', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  "throw new Error('ami-1 is not an image');",
  "import { x } from './vpc-info.ts';",
  "const help = 'an image such as ami-1';",
  "const flag = 'eni-tags';",
  "const version = 'v1.25.5';",
  "const api = 'v1.Pod';",
  'const VERSION = /^v1\\.(\\d+)/;',
  '// pl-1 is a list of ranges',
])('%j is not', (text) => {
  expect(found(text)).toEqual([]);
});
