import { expect, test } from 'vitest';
import { checkCloudNames, cloudBranches } from './check-cloud-names.ts';

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
  ["const AWS = 'aws';\nif (cloud === AWS) go();", ['1 aws: name of a cloud']],
  ["const cluster = { name: 'local' };", ['1 local: name of a cloud']],
  ["open('local');", ['1 local: name of a cloud']],
  ["map.set('aws', go);", ['1 aws: name of a cloud']],
  ["const schema = z.literal('aws');", ['1 aws: name of a cloud']],
  ["const open = (cloud = 'aws') => go(cloud);", ['1 aws: name of a cloud']],
  ["const { cloud = 'aws' } = spec;", ['1 aws: name of a cloud']],
  ["const yes = Object.hasOwn(table, 'aws');", ['1 aws: name of a cloud']],
  ["if (kind === 'aws/Vpc') go();", ['1 aws/Vpc: comparison']],
  ["const yes = kind.startsWith('aws/');", ['1 aws/: startsWith']],
  ["const key = 'aws-kms';", ['1 aws-kms: name of a cloud']],
  ['const kind = `aws/${name}`;', ['1 aws/: name of a cloud']],
  ['const yes = /^aws-/.test(image);', ['1 aws: test']],
  ['const OF_CLOUD = /^(?:aws|gce)\\//;', ['1 aws: pattern of names']],
  ['const ALONE = /^gce$/;', ['1 gce: pattern of names']],
  ['const one = { aws: go, other: stay, third: leave }[cloud];', ['1 aws: object keyed by names']],
  ['const table = { aws: go, b: stay, c: leave };\nconst one = table[cloud];', ['1 aws: object keyed by names']],
  ['const table = { aws: go, b: stay, c: leave } as const;\ntable[cloud]();', ['1 aws: object keyed by names']],
  ["const table = { 'aws-kms': go, b: stay, c: leave };\ntable[key]();", ['1 aws-kms: object keyed by names']],
  ['const one = table.aws;', ['1 .aws: entry by name']],
  ['const one = table?.local?.go();', ['1 .local: entry by name']],
  ['const { aws } = table;', ['1 .aws: entry by name']],
  ['const { other, aws: one = 1 } = table;', ['1 .aws: entry by name']],
  ['const open = ({ gce }: Table) => gce;', ['1 .gce: entry by name']],
])('%j decides by a name', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  'const spec = { aws: 1, other: 2 };',
  'const spec = { aws: 1, other: 2 };\nconst one = others[cloud];',
  "throw new Error('not on aws');",
  "throw new Error('aws-iam-authenticator is not installed');",
  'const yes = /^arn:aws:/.test(name);',
  'const ARN = /^arn:(aws|aws-cn):/;',
  'const NEAR = /^(localhost|127)$/;',
  "const near = 'localhost';",
  'const ABSENT = /local issuer certificate|metal_x/;',
  "import { x } from 'aws/x.ts';",
  "export { x } from 'aws/x.ts';",
  "const { x } = await import('aws/x.ts');",
  'interface Flags { readonly aws?: string }',
])('%j does not', (text) => {
  expect(found(text)).toEqual([]);
});

test('Ids of one cloud are found outside of the folders of clouds', () => {
  const text = "open('ami-1');";
  expect(checkCloudNames('some.ts', text, { clouds: CLOUDS })).toEqual([
    'some.ts:1 decides by the cloud (ami-1, id of a cloud): ask a trait',
  ]);
  expect(checkCloudNames('some.ts', text, { clouds: CLOUDS, allowed: ['ami-1'] })).toEqual([]);
  expect(checkCloudNames('clouds/aws/node/some.ts', text, { clouds: ['gce'] })).toEqual([]);
});

test('What a file may name is not found, and what it need not name is', () => {
  const text = "open('local');\nif (cloud === 'aws') go();";
  expect(checkCloudNames('some.ts', text, { clouds: CLOUDS, allowed: ['local'] })).toEqual([
    'some.ts:2 decides by the cloud (aws, comparison): ask a trait',
  ]);
  expect(checkCloudNames('some.ts', text, { clouds: CLOUDS, allowed: ['local', 'aws', '.aws'] })).toEqual([
    'some.ts may name .aws and does not: take that off the list',
  ]);
});
