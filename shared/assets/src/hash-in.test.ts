import { expect, test } from 'vitest';
import { hashIn } from './hash-in.ts';

const HASH = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);

test.each([
  ['a hash alone', `${HASH}\n`, HASH],
  ['a hash without an end of line', HASH, HASH],
  ['what sha256sum writes', `${OTHER}  etcd-arm64.tar.gz\n${HASH} *etcd.tar.gz\n`, HASH],
  ['a line of another file alone', `${OTHER}  etcd-arm64.tar.gz\n`, undefined],
  ['a page that is not a list', '<html>not found</html>', undefined],
])('%s', (_name, text, expected) => {
  expect(hashIn(text, 'etcd.tar.gz')).toBe(expected);
});

test.each([
  [`${HASH}\n`, HASH],
  [`${HASH}  program`, HASH],
  [`${'0'.repeat(64)}  other\n${HASH} *./program\n`, HASH],
  [`${'0'.repeat(64)}  other\n`, undefined],
  ['<html>', undefined],
])('the hash of a file is read from %j', (text, expected) => {
  expect(hashIn(text, 'program')).toBe(expected);
});
