import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('without arguments it applies the boot configuration of this machine', () => {
  expect(readOptions([])).toMatchObject({ config: '/etc/kops/boot.json', isDryRun: false, root: '/' });
});

test.each([
  ['-o', 'xml'],
  ['--concurrency', '0'],
  ['--no-such-flag'],
  ['--repair'],
  ['--adopt', 'abc'],
  ['--check', '--dry-run'],
  ['stray'],
])('%s %s is refused', (...args) => {
  expect(() => readOptions(args)).toThrow(/\S/);
});
