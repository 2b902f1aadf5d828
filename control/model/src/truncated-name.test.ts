import { expect, test } from 'vitest';
import { fnv1a, hashedName, truncatedName } from './truncated-name.ts';

// Names that kops 1.34 gives, from its own golden files.
test.each([
  ['tcp-minimal-example-com', 'tcp-minimal-example-com-5905t8'],
  ['tcp-privatecalico-example-com', 'tcp-privatecalico-example-lveo5b'],
  ['api-minimal-ipv6-example-com', 'api-minimal-ipv6-example--jhj9te'],
])('the load balancer %s has the name %s', (name, expected) => {
  expect(hashedName(name, 32)).toBe(expected);
});

test('a short name is kept, a long name is truncated and hashed', () => {
  const long = 'masters.this.is.truly.a.really.really.really.really.really.long.cluster-name.minimal.example.com';
  expect(truncatedName('masters.minimal.example.com', 64)).toBe('masters.minimal.example.com');
  expect(truncatedName(long, 64)).toBe('masters.this.is.truly.a.really.really.really.really.reall-g6fsnu');
});

test('the hash is FNV-1a', () => {
  expect(fnv1a('arn:aws-test:iam::123456789012:policy/UsersManageOwnCredentials')).toBe(3197825879);
});
