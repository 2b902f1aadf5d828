import { beforeAbort } from '../before-abort.ts';

/** Returns a token that Google accepts. */
export type GcsToken = (signal: AbortSignal | undefined) => Promise<string>;

/** The narrowest access scope of a machine that allows writing objects. */
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';

/** A metadata server or Google's token service answers within a second; Google's library sets no limit to the latter. */
const TOKEN_WITHIN_MS = 30_000;

/** A token belongs to no project. Without a project name, the library starts gcloud, if installed, and waits seconds for it. */
const NO_PROJECT = 'none';

/** A machine that boots may not reach its metadata server yet, and Google's library remembers for good that there is none. */
const LOOKS_AGAIN_AFTER_MS = 10_000;

/**
 * Finds credentials as all programs of Google do (GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth application-default login`,
 * the service account of the machine), and keeps a token until shortly before it expires. Where there are none, it looks for
 * them again after a while. The library is loaded at the first request.
 */
export const googleToken = (scope = SCOPE, looksAgainAfterMs = LOOKS_AGAIN_AFTER_MS): GcsToken =>
  googleCredentials(scope, looksAgainAfterMs).token;

/** Credentials as `googleToken` finds them, and what else they say. */
export interface GoogleCredentials {
  readonly token: GcsToken;
  /**
   * The project whose quota the requests of a person count against (`quota_project_id` of the credentials, or
   * GOOGLE_CLOUD_QUOTA_PROJECT). Some services, such as Cloud KMS, refuse a person's request that names none.
   */
  readonly quotaProject: () => Promise<string | undefined>;
}

export function googleCredentials(scope: string, looksAgainAfterMs = LOOKS_AGAIN_AFTER_MS): GoogleCredentials {
  let opened: ReturnType<typeof openAuth> | undefined;
  const token: GcsToken = async (signal) => {
    opened ??= openAuth(scope);
    const used = opened;
    const { auth, openedMs, forget } = await used;
    try {
      const token = await beforeAbort(auth.getAccessToken(), signal, TOKEN_WITHIN_MS);
      if (typeof token === 'string') return token;
      throw new Error('Could not load the default credentials: there is no token');
    } catch (error) {
      if (opened === used && performance.now() - openedMs >= looksAgainAfterMs) {
        opened = undefined;
        forget();
      }
      throw error;
    }
  };
  const quotaProject = async (): Promise<string | undefined> => {
    opened ??= openAuth(scope);
    const { auth } = await opened;
    return (await auth.getClient()).quotaProjectId;
  };
  return { token, quotaProject };
}

async function openAuth(scope: string) {
  const { gcpMetadata, GoogleAuth } = await import('google-auth-library');
  return {
    auth: new GoogleAuth({ scopes: [scope], projectId: NO_PROJECT }),
    openedMs: performance.now(),
    forget: () => gcpMetadata.resetIsAvailableCache(),
  };
}
