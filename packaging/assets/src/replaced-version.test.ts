import { expect, test } from 'vitest';
import { replacedVersion } from './replaced-version.ts';

const made = (version: string) => [{ name: 'kubelet', version, file: 'kubelet' }];

test.each([
  ['the wanted version', { version: '1.34.4' }, '1.34.4', undefined],
  ['its nearest patch release', { version: '1.34.9' }, '1.34.4', '1.34.4'],
  ['any patch release of the minor that Debian has', { version: '1.6' }, '1.6.20', undefined],
  [
    'an image of programs, which say it themselves',
    { version: '1.34.9', needs: ['kubernetes-1.34'] },
    '1.34.4',
    undefined,
  ],
])('%s', (_, recipe, found, replaced) => {
  expect(replacedVersion(recipe, made(found))).toBe(replaced);
});
