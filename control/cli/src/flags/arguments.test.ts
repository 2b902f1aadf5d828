import { expect, test } from 'vitest';
import { arrange } from './arguments.ts';
import { buildProgram } from '../program.ts';

const program = await buildProgram({}, { code: 0, path: [], verbosity: 0 });

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
  [
    ['get', '-o', 'json', 'ig', 'nodes'],
    ['get', 'ig', '-o', 'json', 'nodes'],
  ],
  [
    ['-ojson', 'delete', '--yes', 'ig', 'x', '-y=true', '--cloudonly=false', '-v=5'],
    ['-v', '5', 'delete', 'ig', '-ojson', '--yes', 'x', '--yes'],
  ],
  [
    ['get', 'clusters', '--alsologtostderrthreshold', '2', '--legacy_stderr_threshold_behavior=false'],
    ['--alsologtostderrthreshold', '2', 'get', 'clusters'],
  ],
  [
    ['get', 'clusters', '-v8', '-ojson'],
    ['-v', '8', 'get', 'clusters', '-ojson'],
  ],
  [
    ['help', 'create', 'cluster'],
    ['create', 'cluster', '--help'],
  ],
  [['toolbox', 'exec', 'm', '--', 'x', '--name', 'y', '--bastion=true'], undefined],
  [['get', '--state'], undefined],
])('%j is arranged', (argv, arranged) => {
  expect(arrange(argv, program).words).toEqual(arranged ?? argv);
});

test.each([
  [['get', 'clutsers'], 'did you mean `kopsctl get clusters`?'],
  [['update', 'clster', 'x.example.com'], 'did you mean `kopsctl update cluster`?'],
  [['vaildate'], 'did you mean `kopsctl validate`?'],
  [['delete', 'cluster', '--yes=perhaps'], "'perhaps' is neither true nor false"],
])('%j is refused as no command line', (argv, why) => {
  expect(() => arrange(argv, program)).toThrow(
    expect.objectContaining({ isUsage: true, message: expect.stringContaining(why) }),
  );
});
