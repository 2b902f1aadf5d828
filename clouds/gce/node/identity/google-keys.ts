import { createPublicKey, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { askAgain } from '@kopsctl/http/ask-again.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';

/** The keys with which Google signs identity tokens. */
export interface GoogleKeys {
  /** @throws ActionableError if Google cannot be asked */
  find(keyId: string, signal: AbortSignal): Promise<KeyObject | undefined>;
}

const GOOGLES = 'https://www.googleapis.com/oauth2/v3/certs';

/** Where the keys are: at Google, over TLS, unless this machine says otherwise. */
export const googleKeysUrl = (env: Readonly<Record<string, string | undefined>>): string =>
  env['KOPS_GOOGLE_KEYS_URL'] || GOOGLES;

const ANSWER_WITHIN_MS = 10_000;
/** Google has two or three keys at a time: 2 KB. */
const MAX_ANSWER_BYTES = 64 * 1024;
const PACE: Pace = { retries: 2, minTimeout: 100, factor: 3, maxTimeout: 1000, randomize: true };

/** Tokens with made-up key ids must not make an authority ask Google for each of them. */
const ASK_FOR_UNKNOWN_EVERY_MS = 30_000;
/** Google says 5 to 7 hours. */
const MAX_FRESH_MS = 24 * 60 * 60 * 1000;
const MIN_KEY_BITS = 2048;

/** Keys are kept as long as Google says, and asked for again before that when a token names an unknown one. */
export function openGoogleKeys(url: string, nowMs: () => number): GoogleKeys {
  const http = openHttp();
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let freshUntilMs = 0;
  let askedMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    askedMs = nowMs();
    const once = async (): Promise<void> => {
      const answer = await http.ask(
        { method: 'GET', url, withinMs: ANSWER_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES },
        undefined,
      );
      if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
      keys = parseKeys(answer.body);
      freshUntilMs = askedMs + freshMs(answer.headers);
    };
    await askAgain(once, { pace: PACE, isPassing: () => true, explain: (cause) => unanswered(url, cause) }, undefined);
  };
  /** All callers that need the keys at the same time wait for one answer, which none of them can abort for the others. */
  const refresh = async (signal: AbortSignal): Promise<void> => {
    asking ??= ask().finally(() => (asking = undefined));
    await asking;
    signal.throwIfAborted();
  };

  return {
    async find(keyId, signal) {
      if (nowMs() >= freshUntilMs) await refresh(signal);
      const found = keys.get(keyId);
      if (found !== undefined || nowMs() < askedMs + ASK_FOR_UNKNOWN_EVERY_MS) return found;
      await refresh(signal);
      return keys.get(keyId);
    },
  };
}

/** A JSON Web Key Set (RFC 7517). Keys that cannot verify RS256 are left out. */
export function parseKeys(body: string): ReadonlyMap<string, KeyObject> {
  const list = new AnswerFields(JSON.parse(body), 'Google', 'the key set').list('keys');
  const keys = list
    .filter((key) => key.text('kty') === 'RSA' && key.text('alg', 'RS256') === 'RS256')
    .filter((key) => key.text('use', 'sig') === 'sig')
    .map((key) => {
      const jwk = { kty: 'RSA', n: key.text('n'), e: key.text('e') };
      return [key.text('kid'), createPublicKey({ key: jwk, format: 'jwk' })] as const;
    })
    .filter(([, key]) => (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS);
  if (keys.length === 0) throw new Error('it sent no keys for RS256');
  return new Map(keys);
}

/** How long an answer is fresh (RFC 9111, section 4.2). */
export function freshMs(headers: IncomingHttpHeaders): number {
  const [, seconds = '0'] = /(?:^|[\s,])max-age=(\d{1,9})(?:[\s,]|$)/.exec(headers['cache-control'] ?? '') ?? [];
  const ageSeconds = /^\d{1,9}$/.test(headers.age ?? '') ? Number(headers.age) : 0;
  const forMs = (Number(seconds) - ageSeconds) * 1000;
  return Math.min(Math.max(forMs, ASK_FOR_UNKNOWN_EVERY_MS), MAX_FRESH_MS);
}

const unanswered = (url: string, cause: unknown): ActionableError =>
  new ActionableError({
    what: `get the keys from ${url} with which Google signs identity tokens`,
    why: messageOf(cause),
    next: 'check the route from this subnet to that host: an external address, Cloud NAT, or Private Google Access',
    cause,
  });
