import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { MachineMetadata } from './metadata.ts';

/** Returns a token that identifies the machine to Google. */
export type AccessToken = (signal: AbortSignal) => Promise<string>;

const PATH = 'instance/service-accounts/default/token';

/** The metadata server gives a new token when the old one has less than five minutes left. */
const RENEW_BEFORE_MS = 4 * 60_000;

interface Timed {
  readonly token: string;
  readonly expiresMs: number;
}

/** The token of the service account that this machine runs as, renewed shortly before it expires. */
export function machineToken(metadata: MachineMetadata, nowMs: () => number): AccessToken {
  let current: Timed | undefined;
  return async (signal) => {
    if (current !== undefined && nowMs() < current.expiresMs - RENEW_BEFORE_MS) return current.token;
    try {
      current = await fetchToken(metadata, nowMs, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      // The old token is used while it is valid and the server is away.
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
      'add one to its instance template; for a stopped machine: `gcloud compute instances set-service-account`',
    );
  }
  const { access_token: token, expires_in: seconds } = JSON.parse(text) as TokenAnswer;
  if (typeof token === 'string' && typeof seconds === 'number') return { token, expiresMs: nowMs() + seconds * 1000 };
  throw failure('the metadata server answers without a token', 'check that the service account is not disabled');
}

/** RFC 6749, section 5.1. */
interface TokenAnswer {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
}

const failure = (why: string, next: string): ActionableError =>
  new ActionableError({ what: "get a token of this machine's service account", why, next });
