import { describe, expect, test } from 'vitest';

import { debianSources, parseDeb822Sources, parseListSources } from './apt-sources.ts';

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
