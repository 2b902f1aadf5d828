import { describe, expect, test } from 'vitest';

import { debianSources, otherSuite, parseDeb822Sources, parseListSources } from './apt-sources.ts';

const DEB822 = `Types: deb
# a comment
URIs: http://mirror.test/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian.gpg

Enabled: no
Types: deb
URIs: http://off.test/debian
Suites: bookworm
Components: main
`;

describe('the private sources', () => {
  test('are those of the machine, with source packages of the release itself', () => {
    expect(debianSources(parseDeb822Sources(DEB822), 'bookworm')).toEqual([
      'deb [signed-by=/usr/share/keyrings/debian.gpg] http://mirror.test/debian bookworm main',
      'deb-src [signed-by=/usr/share/keyrings/debian.gpg] http://mirror.test/debian bookworm main',
      'deb [signed-by=/usr/share/keyrings/debian.gpg] http://mirror.test/debian bookworm-updates main',
    ]);
  });

  test('are read from one-line files too, and other distributions are left out', () => {
    const list = [
      '# deb http://commented.test bookworm main',
      'deb [arch=amd64 signed-by=/k.gpg] http://m.test/debian bookworm main # the mirror',
      'deb http://vendor.test/apt stable main',
    ].join('\n');
    expect(debianSources(parseListSources(list), 'bookworm')).toEqual([
      'deb [signed-by=/k.gpg] http://m.test/debian bookworm main',
      'deb-src [signed-by=/k.gpg] http://m.test/debian bookworm main',
    ]);
  });

  test('that do not offer the release are refused with what to do', () => {
    expect(() => debianSources(parseListSources('deb http://m.test/ubuntu noble main'), 'bookworm')).toThrow(
      /no apt source of this machine offers Debian bookworm main/,
    );
  });
});

describe('the private sources of another suite', () => {
  test("use the machine's mirror, ignoring comments, other vendors and security updates", () => {
    const own = `Types: deb
URIs: https://deb.test/node
Suites: nodistro
Components: main

Types: deb
URIs: http://mirror.test/debian-security
Suites: bookworm-security
Components: main
Signed-By: /k/security.gpg

${DEB822}`;
    expect(otherSuite(parseDeb822Sources(own), 'sid')).toEqual([
      'deb [signed-by=/usr/share/keyrings/debian.gpg] http://mirror.test/debian sid main',
    ]);
  });

  test("are verified by Debian's own keys if the machine's source has none", () => {
    expect(otherSuite(parseListSources('deb http://m.test/debian/ bookworm main'), 'sid')).toEqual([
      'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://m.test/debian/ sid main',
    ]);
  });

  test('do not exist on a machine of another distribution', () => {
    expect(() => otherSuite(parseListSources('deb http://m.test/ubuntu noble main'), 'sid')).toThrow(
      /the apt sources of this machine do not contain a Debian archive/,
    );
  });
});
