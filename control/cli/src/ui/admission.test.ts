import { expect, test } from 'vitest';
import { type Asking, openAdmission } from './admission.ts';

const PORT = 4040;
const asking = (change: Partial<Asking>): Asking => ({
  method: 'GET',
  host: `127.0.0.1:${PORT}`,
  path: '/',
  token: undefined,
  cookie: undefined,
  ...change,
});

test('the token is good for one browser, which goes on with its session', () => {
  const admission = openAdmission(PORT);
  const begins = admission.admit(asking({ token: admission.token }));
  expect(begins).toMatchObject({ kind: 'begins', cookie: expect.stringContaining('HttpOnly; SameSite=Strict') });
  const cookie = begins.kind === 'begins' ? begins.cookie.split(';')[0] : '';
  expect(admission.admit(asking({ path: '/clusters/a/spec', cookie: `other=1; ${cookie}` })).kind).toBe('admitted');
  expect(admission.admit(asking({ token: admission.token })).kind).toBe('refused');
});

test.each<[string, Partial<Asking>, number]>([
  ['nothing', {}, 401],
  ['a wrong token', { token: 'x' }, 401],
  ['a wrong session', { cookie: 'kopsctl-session=x' }, 401],
  ['another name (DNS rebinding)', { host: `evil.example.com:${PORT}` }, 400],
  ['another port', { host: '127.0.0.1:80' }, 400],
  ['a change', { method: 'POST' }, 405],
])('%s is refused', (_, change, status) => {
  expect(openAdmission(PORT).admit(asking(change))).toMatchObject({ kind: 'refused', status });
});

test('the token does not open other paths, and stays good', () => {
  const admission = openAdmission(PORT);
  expect(admission.admit(asking({ path: '/clusters/a/spec', token: admission.token })).kind).toBe('refused');
  expect(admission.admit(asking({ token: admission.token })).kind).toBe('begins');
});
