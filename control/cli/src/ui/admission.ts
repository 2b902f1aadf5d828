import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a request is answered before any page is made. */
export type Admission =
  /** `url` has the path of the page, without the folder that all pages are in. */
  | { readonly kind: 'admitted'; readonly url: URL }
  /** The token was right and is used up: the browser gets a session instead, so that the token is in no history. */
  | { readonly kind: 'begins'; readonly cookie: string; readonly location: string }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 405; readonly why: string };

export interface Asking {
  readonly method: string;
  readonly host: string | undefined;
  /** What the request asks for, as it was sent: any program may have written it. */
  readonly target: string;
  readonly cookie: string | undefined;
}

export interface OpenedAdmission {
  /** The path and the query that let a browser in, once. */
  readonly begin: string;
  admit(asking: Asking): Admission;
}

/**
 * Lets in the one browser that shows the token, which is good for one request; other programs and other users of this
 * computer get nothing. A page from elsewhere that leads the browser here under another name (DNS rebinding) is refused by
 * that name.
 *
 * Browsers send cookies to every port of a computer. The pages are therefore in a folder whose name nobody can guess: the
 * session goes to no other server here. The name of the cookie has the port, so that two such servers keep a session each.
 */
export function openAdmission(port: number): OpenedAdmission {
  const token = secret();
  const session = secret();
  const folder = `/${secret()}/`;
  const cookieName = `kopsctl-session-${port}`;
  let isUsed = false;
  // Browsers leave out the usual port of http.
  const hosts = ['127.0.0.1', 'localhost'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
  return {
    begin: `${folder}?token=${token}`,
    admit({ method, host, target, cookie }) {
      if (method !== 'GET') return { kind: 'refused', status: 405, why: 'nothing can be changed here' };
      if (!hosts.includes(host ?? '')) return { kind: 'refused', status: 400, why: 'the request names another host' };
      const url = urlOf(target);
      if (url === undefined) return { kind: 'refused', status: 400, why: 'the request names no path' };
      const isInside = url.pathname.startsWith(folder);
      if (isInside && isSame(cookieIn(cookie, cookieName), session)) {
        url.pathname = url.pathname.slice(folder.length - 1);
        return { kind: 'admitted', url };
      }
      if (url.pathname === folder && !isUsed && isSame(url.searchParams.get('token') ?? undefined, token)) {
        isUsed = true;
        const attributes = `HttpOnly; SameSite=Strict; Path=${folder}`;
        return { kind: 'begins', cookie: `${cookieName}=${session}; ${attributes}`, location: folder };
      }
      return { kind: 'refused', status: 401, why: 'start `kopsctl ui` again, and open the address that it prints' };
    },
  };
}

/** Undefined for what is not a path. It is put behind a host instead of resolved: `//x` would name another host, and `//` none. */
const urlOf = (target: string): URL | undefined =>
  target.startsWith('/') ? new URL(`http://localhost${target}`) : undefined;

const secret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isSame = (given: string | undefined, wanted: string): boolean =>
  given !== undefined && timingSafeEqual(digest(given), digest(wanted));

function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
