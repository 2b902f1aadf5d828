import { expect, test } from 'vitest';

import { bundledPackages } from './bundled-packages.ts';

const LOCK = {
  packages: {
    '': { name: 'suite', version: '0.1.0' },
    'shared/files': { name: '@kopsctl/files', version: '0.1.0' },
    'node_modules/execa': { version: '10.2.1' },
    'node_modules/execa/node_modules/which': { version: '2.0.0' },
    'node_modules/@aws/client': { version: '3.1.0' },
    'node_modules/renamed': { name: 'true-name', version: '1.0.0' },
    'node_modules/unused': { version: '1.0.0' },
  },
};

test('each file belongs to the nearest package, and packages without a file are not named', () => {
  const files = [
    'node_modules/execa/lib/index.js',
    'node_modules/execa/node_modules/which/which.js',
    'node_modules/@aws/client/dist/es/a.js',
    'node_modules/@aws/client/dist/es/b.js',
    'node_modules/renamed/index.js',
    'shared/files/src/folder.ts',
    'package.json',
  ];
  expect([...bundledPackages(files, LOCK)]).toEqual([
    'execa@10.2.1',
    'which@2.0.0',
    '@aws/client@3.1.0',
    'true-name@1.0.0',
    '@kopsctl/files@0.1.0',
  ]);
});

test('a package that the lock does not name is a fault of ours', () => {
  expect(() => bundledPackages(['node_modules/strange/index.js'], LOCK)).toThrow(
    'node_modules/strange/index.js is of a package that package-lock.json does not name',
  );
});
