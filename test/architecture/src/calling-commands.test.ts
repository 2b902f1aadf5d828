import { expect, test } from 'vitest';
import { callingCommands } from './calling-commands.ts';
import { readSource } from './read-source.ts';

const packages = [
  { name: '@kopsctl/cli', folder: 'control/cli', modules: './src/*', dependencies: [], devDependencies: [] },
];

const faultsOf = (text: string) =>
  callingCommands(packages, [
    readSource('control/cli/src/commands/one.ts', text),
    readSource('control/cli/src/commands/two.ts', "import { three } from '../three.ts';"),
    readSource('control/cli/src/three.ts', "import { two } from './commands/two.ts';"),
  ]);

test.each([
  "import { two } from './two.ts';",
  "import\n  { two } from './two.ts';",
  "import { type Two } from './two.ts';",
  "import './two.ts';",
  "import { two } from '../commands/two.ts';",
  "import { two } from '@kopsctl/cli/commands/two.ts';",
  "export { two } from './two.ts';",
  "export const one = async () => (await import('./two.ts')).two();",
  'export const one = async () => import(`./two.ts`);',
])('A command with %j calls another', (text) => {
  expect(faultsOf(text)).toEqual([
    'control/cli/src/commands/one.ts imports control/cli/src/commands/two.ts, another command: both call an action',
  ]);
});

test.each([
  "import type { Two } from './two.ts';",
  "export type { Two } from './two.ts';",
  "export type One = import('./two.ts').Two;",
  "import { three } from '../three.ts';",
])('A command with %j does not', (text) => {
  expect(faultsOf(text)).toEqual([]);
});
