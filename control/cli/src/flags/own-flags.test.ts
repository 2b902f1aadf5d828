import { OWN_FLAGS } from '@kopsctl/clouds/create-cluster-flags.ts';
import { Command } from 'commander';
import { expect, test } from 'vitest';

test('Flags that only one cloud has go by the names by which the command line hands them over', () => {
  for (const [name, { flags }] of Object.entries(OWN_FLAGS)) {
    const [flag = '', value] = flags.split(' ');
    const given = [flag, ...(value === undefined ? [] : ['word'])];
    const options = new Command().option(flags).parse(given, { from: 'user' }).opts();
    expect(Object.keys(options)).toEqual([name]);
  }
});
