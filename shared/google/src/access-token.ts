import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { AnswerFields } from './answer-fields.ts';
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
      // While the server is away, the old token is used as long as it is valid.
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
  try {
    // RFC 6749, section 5.1.
    const answer = new AnswerFields(JSON.parse(text), 'the metadata server');
    return { token: answer.text('access_token'), expiresMs: nowMs() + answer.count('expires_in') * 1000 };
  } catch (cause) {
    const why = 'the metadata server answers without a token';
    throw failure(why, 'check that the service account is not disabled', cause);
  }
}

const failure = (why: string, next: string, cause?: unknown): ActionableError =>
  new ActionableError({ what: "get a token of this machine's service account", why, next, cause });
