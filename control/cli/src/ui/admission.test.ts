import { expect, test } from 'vitest';
import { type Asking, openAdmission, type OpenedAdmission } from './admission.ts';

const PORT = 4040;
const asking = (change: Partial<Asking>): Asking => ({
  method: 'GET',
  host: `127.0.0.1:${PORT}`,
  target: '/',
  cookie: undefined,
  ...change,
});

/** The session that a browser gets, and the folder of the pages. */
function begun(admission: OpenedAdmission, port = PORT) {
  const begins = admission.admit(asking({ target: admission.begin, host: `127.0.0.1:${port}` }));
  if (begins.kind !== 'begins') throw new Error(`the token is refused: ${JSON.stringify(begins)}`);
  const [session = '', ...attributes] = begins.cookie.split('; ');
  return { session, attributes, folder: begins.location };
}

test('the token works for one browser, which then keeps its session', () => {
  const admission = openAdmission(PORT);
  const { session, attributes, folder } = begun(admission);
  expect(attributes).toEqual(['HttpOnly', 'SameSite=Strict', `Path=${folder}`]);
  const later = admission.admit(asking({ target: `${folder}clusters/a/machines?live`, cookie: `other=1; ${session}` }));
  expect(later).toMatchObject({ kind: 'admitted', url: { pathname: '/clusters/a/machines', search: '?live' } });
  expect(admission.admit(asking({ target: admission.begin })).kind).toBe('refused');
});

test('browsers send the session to no other server on this computer, and two servers keep one each', () => {
  const [one, other] = [begun(openAdmission(PORT)), begun(openAdmission(PORT + 1), PORT + 1)];
  expect(one.folder).toMatch(/^\/[\w-]{43}\/$/);
  expect(one.folder).not.toBe(other.folder);
  expect(one.session.split('=')[0]).not.toBe(other.session.split('=')[0]);
});

test.each<[string, Partial<Asking>, number]>([
  ['nothing', {}, 401],
  ['a wrong token', { target: '/?token=x' }, 401],
  ['a wrong session', { cookie: `kopsctl-session-${PORT}=x` }, 401],
  ['another name (DNS rebinding)', { host: `evil.example.com:${PORT}` }, 400],
  ['another port', { host: '127.0.0.1:80' }, 400],
  ['a change', { method: 'POST' }, 405],
  ['a path without a name', { target: '//' }, 401],
  ['a path with a host that is none', { target: '//[' }, 401],
  ['an address in place of a path', { target: 'http://[' }, 400],
  ['an unreadable path under another name', { target: 'http://[', host: 'evil.example.com' }, 400],
  ['an unreadable path with a change', { target: '*', method: 'OPTIONS' }, 405],
])('%s is refused', (_, change, status) => {
  expect(openAdmission(PORT).admit(asking(change))).toMatchObject({ kind: 'refused', status });
});

test('a session opens nothing outside its folder', () => {
  const admission = openAdmission(PORT);
  const { session } = begun(admission);
  expect(admission.admit(asking({ target: '/clusters/a/spec', cookie: session })).kind).toBe('refused');
});

test('the token does not open other paths, and stays good', () => {
  const admission = openAdmission(PORT);
  const { pathname, search } = new URL(`http://localhost${admission.begin}`);
  for (const target of [`/${search}`, `${pathname}clusters/a/spec${search}`]) {
    expect(admission.admit(asking({ target })).kind).toBe('refused');
  }
  expect(admission.admit(asking({ target: admission.begin })).kind).toBe('begins');
});
