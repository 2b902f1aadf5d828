import { expect, test } from 'vitest';
import { parseChecksums, printChecksums } from './checksums.ts';

const HASH = 'a'.repeat(64);

test('a printed list is read as it was', () => {
  const hashes = new Map([
    ['kopsctl-linux-amd64', HASH],
    ['kopsctl_0.1.0_amd64.deb', 'b'.repeat(64)],
  ]);
  expect(parseChecksums(printChecksums(hashes))).toEqual(hashes);
});

test.each([
  ['a name above the folder', `${HASH}  ../kopsctl\n`, 'line 1 names no plain file'],
  ['an absolute name', `${HASH}  /etc/passwd\n`, 'line 1 names no plain file'],
  ['a name in another folder', `${HASH}  a/b\n`, 'line 1 names no plain file'],
  ['a hidden name', `${HASH}  .profile\n`, 'line 1 names no plain file'],
  ['a name like an option', `${HASH}  -rf\n`, 'line 1 names no plain file'],
  ['a name with a control character', `${HASH}  a\u001b[2J\n`, 'line 1 names no plain file'],
  ['itself', `${HASH}  SHA256SUMS\n`, 'line 1 lists SHA256SUMS itself'],
  ['a name twice', `${HASH}  a\n${'b'.repeat(64)}  a\n`, 'line 2 lists a again'],
  ['a short hash', `${'a'.repeat(63)}  a\n`, 'line 1 is not'],
  ['an upper-case hash', `${'A'.repeat(64)}  a\n`, 'line 1 is not'],
  ['an empty line', `${HASH}  a\n\n`, 'line 2 is not'],
  ['a line that was cut', `${HASH}  kops`, 'it was cut short'],
  ['nothing', '', 'lists no file'],
  ['too many files', `${HASH}  a\n`.repeat(1001), 'lists 1001 files'],
])('a list with %s is refused', (_, text, why) => {
  expect(() => parseChecksums(text)).toThrow(why);
});
