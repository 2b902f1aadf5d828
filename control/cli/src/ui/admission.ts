import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a request is answered before any page is made. */
export type Admission =
  | { readonly kind: 'admitted' }
  /** The token was right and is used up: the browser gets a session instead, so that the token is in no history. */
  | { readonly kind: 'begins'; readonly cookie: string }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 405; readonly why: string };

export interface Asking {
  readonly method: string;
  readonly host: string | undefined;
  readonly path: string;
  readonly token: string | undefined;
  readonly cookie: string | undefined;
}

const COOKIE = 'kopsctl-session';

/**
 * Lets in the one browser that shows the token, which is good for one request; other programs and other users of this
 * computer get nothing. A page from elsewhere that leads the browser here under another name (DNS rebinding) is refused by
 * that name.
 */
export function openAdmission(port: number): { readonly token: string; admit(asking: Asking): Admission } {
  const token = secret();
  const session = secret();
  let isUsed = false;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    token,
    admit({ method, host, path, token: given, cookie }) {
      if (method !== 'GET') return { kind: 'refused', status: 405, why: 'nothing can be changed here' };
      if (!hosts.includes(host ?? '')) return { kind: 'refused', status: 400, why: 'the request names another host' };
      if (isSame(cookieIn(cookie), session)) return { kind: 'admitted' };
      if (path === '/' && !isUsed && isSame(given, token)) {
        isUsed = true;
        return { kind: 'begins', cookie: `${COOKIE}=${session}; HttpOnly; SameSite=Strict; Path=/` };
      }
      return { kind: 'refused', status: 401, why: 'start `kopsctl ui` again, and open the address that it prints' };
    },
  };
}

const secret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isSame = (given: string | undefined, wanted: string): boolean =>
  given !== undefined && timingSafeEqual(digest(given), digest(wanted));

function cookieIn(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}
