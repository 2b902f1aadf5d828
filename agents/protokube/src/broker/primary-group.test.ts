import { expect, test } from 'vitest';
import { primaryGroup } from './primary-group.ts';

const PASSWD = 'root:x:0:0:root:/root:/bin/bash\nkops-node-authority:x:997:995::/nonexistent:/usr/sbin/nologin\n';

test('the group of a user is that of its line', () => {
  expect(primaryGroup(PASSWD, 'kops-node-authority')).toBe(995);
});

test.each(['kops-node', 'x', ''])('of %j there is none', (user) => {
  expect(() => primaryGroup(PASSWD, user)).toThrow('has no user');
});
