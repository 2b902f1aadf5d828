import { expect, test } from 'vitest';
import { cloudsApart } from './clouds-apart.ts';
import { readSource } from './read-source.ts';

const packages = [{ name: '@kopsctl/clouds', folder: 'clouds', modules: './*', dependencies: [], devDependencies: [] }];
const FILE = 'clouds/aws/control/aws.ts';

const faultsOf = (path: string, text: string, allowed?: Readonly<Record<string, readonly string[]>>) =>
  cloudsApart(packages, [readSource(path, text)], allowed);

test.each([
  "import { gce } from '../../gce/control/gce.ts';",
  "import type { Gce } from '../../gce/control/gce.ts';",
  "export { gce } from '../../gce/control/gce.ts';",
  "import { gce } from '@kopsctl/clouds/gce/control/gce.ts';",
  "export const open = async () => import('../../gce/control/gce.ts');",
  "export type One = import('../../gce/control/gce.ts').Gce;",
])('A cloud with %j imports another', (text) => {
  expect(faultsOf(FILE, text)).toEqual([
    `${FILE} imports clouds/gce/control/gce.ts, of another cloud: what both need is in shared or control/model`,
  ]);
});

test.each([
  [FILE, "import { podLimit } from '../node/pod-limit.ts';"],
  [FILE, "import { specCloud } from '@kopsctl/clouds/control.ts';"],
  [
    'clouds/control-registry.ts',
    "import { aws } from './aws/control/aws.ts';\nimport { gce } from './gce/control/gce.ts';",
  ],
  ['control/actions/src/one.ts', "import { gce } from '@kopsctl/clouds/gce/control/gce.ts';"],
])('%s with %j does not', (path, text) => {
  expect(faultsOf(path, text)).toEqual([]);
});

test('What a file may import is no fault, and what it need not import is', () => {
  const text = "import { gce } from '../../gce/control/gce.ts';";
  expect(faultsOf(FILE, text, { [FILE]: ['gce'] })).toEqual([]);
  expect(faultsOf(FILE, text, { [FILE]: ['gce', 'local'] })).toEqual([
    `${FILE} may import from clouds/local and does not: take that off the list`,
  ]);
});
