import { expect, test } from 'vitest';
import { refuseRoleOfKops } from './role-of-kops.ts';

test('a role that kops would assume is refused', () => {
  const set = { KOPS_AWS_ROLE_ARN: 'arn:aws:iam::1:role/kops' };
  expect(() => refuseRoleOfKops(set)).toThrow('KOPS_AWS_ROLE_ARN is set to arn:aws:iam::1:role/kops');
  expect(() => refuseRoleOfKops({ KOPS_AWS_ROLE_ARN: '' })).not.toThrow();
  expect(() => refuseRoleOfKops({})).not.toThrow();
});
