import { expect, test } from 'vitest';
import { findDebianMirror } from './apt-sources.ts';

test('The mirror is read from deb822 sources, past comments, other vendors and security updates', () => {
  const other = 'Types: deb\nURIs: https://deb.example.com/node\nSuites: nodistro\n';
  const debian = `Types: deb
# http://snapshot.example.com/archive/debian
URIs: http://mirror.example.com/debian-security
Suites: bookworm-security
Signed-By: /k/security.gpg

Types: deb
URIs: http://mirror.example.com/debian
Suites: bookworm bookworm-updates
Signed-By: /k/debian.gpg
`;
  expect(findDebianMirror([other, debian])).toEqual({
    uri: 'http://mirror.example.com/debian',
    keyring: '/k/debian.gpg',
  });
});

test('The mirror is read from one-line sources', () => {
  const text =
    '# deb http://old.example.com/debian sid main\ndeb [arch=amd64 signed-by=/k/d.gpg] http://m.example.com/debian/ bookworm main\n';
  expect(findDebianMirror([text])).toEqual({ uri: 'http://m.example.com/debian/', keyring: '/k/d.gpg' });
});

test('A machine without a Debian archive has no mirror', () => {
  expect(findDebianMirror(['deb http://archive.example.com/ubuntu noble main\n'])).toBeUndefined();
});
