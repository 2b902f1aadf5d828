import { expect, test } from 'vitest';
import { arrange } from './arguments.ts';
import { buildProgram } from './program.ts';

const program = buildProgram({}, { code: 0 });

test.each([
  [
    ['get', 'ig', '--state', 'file:///s', '-o', 'yaml', '--name=demo'],
    ['--state', 'file:///s', '--name=demo', 'get', 'ig', '-o', 'yaml'],
  ],
  [
    ['create', 'cluster', '--bastion=true', '--ipv6=FALSE'],
    ['create', 'cluster', '--bastion', '--no-ipv6'],
  ],
  [
    ['create', 'cluster', '--set=true'],
    ['create', 'cluster', '--set=true'],
  ],
  [['toolbox', 'exec', 'm', '--', 'x', '--name', 'y', '--bastion=true'], undefined],
  [['get', '--state'], undefined],
])('%j is arranged', (argv, arranged) => {
  expect(arrange(argv, program)).toEqual(arranged ?? argv);
});
