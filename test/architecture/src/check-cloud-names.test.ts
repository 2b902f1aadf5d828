import { expect, test } from 'vitest';
import { cloudBranches } from './check-cloud-names.ts';

const CLOUDS = ['aws', 'gce', 'local'];
const found = (text: string): readonly string[] =>
  cloudBranches('some.ts', text, CLOUDS).map(({ line, cloud, form }) => `${line} ${cloud}: ${form}`);

test.each([
  ["if (cloud === 'aws') go();", ['1 aws: comparison']],
  ["if ('gce' != cloud) go();", ['1 gce: comparison']],
  ['if (cloud === `local`) go();', ['1 local: comparison']],
  ["const yes = 'aws' in table;", ['1 aws: comparison']],
  ["switch (cloud) {\n  case 'aws':\n    go();\n}", ['2 aws: case']],
  ["const yes = ['aws', 'gce'].includes(cloud);", ['1 aws: list of names', '1 gce: list of names']],
  ["const yes = clouds.includes('local');", ['1 local: includes']],
  ["const yes = set.has('aws');", ['1 aws: has']],
  ["const one = map.get('gce');", ['1 gce: get']],
  ["const yes = cloud.startsWith('aws');", ['1 aws: startsWith']],
  ["const one = table['aws'];", ['1 aws: entry by name']],
  ['const table = { aws: 1, gce: 2 };', ['1 aws, gce: object keyed by names']],
  ["const table = { 'local': 1 };", ['1 local: object keyed by names']],
  ['const table = { aws: 1, gce: 2, other: 3 };', ['1 aws, gce: object keyed by names']],
  ['const yes = /^aws$/.test(cloud);', ['1 aws: test']],
  ['const found = /^(?:gce|other)$/.exec(cloud);', ['1 gce: exec']],
  ['const found = cloud.match(/local/);', ['1 local: match']],
  ["const map = new Map([['aws', 1]]);", ['1 aws: list of names']],
  ["type Cloud = 'aws' | 'other';", ['1 aws: type of names']],
])('%j decides by a name', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  "const cluster = { name: 'local' };",
  "open('local');",
  'const spec = { aws: 1, other: 2 };',
  "if (kind === 'aws/Vpc') go();",
  "throw new Error('not on aws');",
  'const yes = /^arn:aws:/.test(name);',
])('%j does not', (text) => {
  expect(found(text)).toEqual([]);
});
