import { expect, test } from 'vitest';
import { accountEmail } from './account-email.ts';

test.each([
  ['acme', 'node-a@acme.iam.gserviceaccount.com'],
  ['example.com:acme', 'node-a@acme.example.com.iam.gserviceaccount.com'],
])('an account of the project %s is %s', (project, email) => {
  expect(accountEmail('node-a', project)).toBe(email);
});
