import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { MachineMetadata } from './metadata.ts';

/** Says to Google who asks. */
export type AccessToken = (signal: AbortSignal) => Promise<string>;

const PATH = 'instance/service-accounts/default/token';

/** The metadata server gives a new token when the old one has less than five minutes left. */
const RENEW_BEFORE_MS = 4 * 60_000;

interface Timed {
  readonly token: string;
  readonly expiresMs: number;
}

/** The token of the service account that this machine runs as, asked for again shortly before it ends. */
export function machineToken(metadata: MachineMetadata, nowMs: () => number): AccessToken {
  let current: Timed | undefined;
  return async (signal) => {
    if (current !== undefined && nowMs() < current.expiresMs - RENEW_BEFORE_MS) return current.token;
    try {
      current = await fetchToken(metadata, nowMs, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      // A server that is away for a moment is no reason to stop while the old token is good.
      if (current === undefined || nowMs() >= current.expiresMs) throw thrown;
    }
    return current.token;
  };
}

async function fetchToken(metadata: MachineMetadata, nowMs: () => number, signal: AbortSignal): Promise<Timed> {
  const text = await metadata.find(PATH, signal);
  if (text === undefined) {
    throw failure(
      'this machine has no service account',
      'give its instance template one; of a machine that is stopped, `gcloud compute instances set-service-account`',
    );
  }
  const { access_token: token, expires_in: seconds } = JSON.parse(text) as TokenAnswer;
  if (typeof token === 'string' && typeof seconds === 'number') return { token, expiresMs: nowMs() + seconds * 1000 };
  throw failure('the metadata server answers without a token', 'see that the service account is not disabled');
}

/** RFC 6749, section 5.1. */
interface TokenAnswer {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
}

const failure = (why: string, next: string): ActionableError =>
  new ActionableError({ what: "get a token of this machine's service account", why, next });
