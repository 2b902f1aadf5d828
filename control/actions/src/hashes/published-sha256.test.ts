import { expect, test } from 'vitest';
import { hashIn } from './published-sha256.ts';

const HASH = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);

test.each([
  ['a hash alone', `${HASH}\n`, HASH],
  ['a hash without an end of line', HASH, HASH],
  ['what sha256sum writes', `${OTHER}  etcd-arm64.tar.gz\n${HASH} *etcd.tar.gz\n`, HASH],
  ['a line of another file alone', `${OTHER}  etcd-arm64.tar.gz\n`, undefined],
  ['a page that is no list', '<html>not found</html>', undefined],
])('%s', (_name, text, expected) => {
  expect(hashIn(text, 'etcd.tar.gz')).toBe(expected);
});
