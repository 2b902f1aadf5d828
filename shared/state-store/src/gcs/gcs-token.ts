import { beforeAbort } from '../before-abort.ts';

/** Returns a token that Google accepts. */
export type GcsToken = (signal: AbortSignal | undefined) => Promise<string>;

/** The narrowest access scope of a machine that allows to write objects. */
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';

/** A metadata server or Google's token service answers within a second; Google's library sets no limit to the latter. */
const TOKEN_WITHIN_MS = 30_000;

/** A token is of no project. Without a name for one the library starts gcloud, where that is installed, and waits seconds for it. */
const NO_PROJECT = 'none';

/**
 * Finds credentials as all programs of Google do (GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth application-default login`,
 * the service account of the machine), and keeps a token until shortly before it expires. The library is loaded at the first
 * request.
 */
export function googleToken(scope = SCOPE): GcsToken {
  let opened: Promise<{ getAccessToken(): Promise<string | null | undefined> }> | undefined;
  return async (signal) => {
    opened ??= import('google-auth-library').then(
      ({ GoogleAuth }) => new GoogleAuth({ scopes: [scope], projectId: NO_PROJECT }),
    );
    const auth = await opened;
    const token = await beforeAbort(auth.getAccessToken(), signal, TOKEN_WITHIN_MS);
    if (typeof token === 'string') return token;
    throw new Error('Could not load the default credentials: there is no token');
  };
}
