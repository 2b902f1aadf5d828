import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Http, Question, StreamedAnswer } from './http.ts';

/** Release downloads redirect once or twice. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A question that may be asked again elsewhere: it changes nothing and sends no body. */
export type Reading = Omit<Question, 'body' | 'method'> & { readonly method: 'GET' | 'HEAD' };

/**
 * Asks, goes where the answer redirects to, and returns the head of the last answer. A redirect may not leave https,
 * because the server that sends the bytes has to prove its identity. Headers go to the other server too, so they may
 * hold no secret.
 */
export async function streamFollowing(
  http: Pick<Http, 'stream'>,
  question: Reading,
  signal: AbortSignal | undefined,
): Promise<StreamedAnswer> {
  const asked = new URL(question.url).href;
  let at = asked;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await http.stream({ ...question, url: at }, signal);
    const next = redirectOf(answer, at);
    if (next === undefined) return answer;
    answer.body.destroy();
    if (at.startsWith('https:') && !next.startsWith('https:')) {
      throw unreadable(asked, `it redirects to ${next}`, 'name a location that stays with https');
    }
    at = next;
  }
  throw unreadable(asked, `it redirects more than ${MAX_REDIRECTS} times`, 'name the location that it redirects to');
}

function redirectOf({ status, headers }: StreamedAnswer, at: string): string | undefined {
  return REDIRECTS.has(status) && headers.location !== undefined ? new URL(headers.location, at).href : undefined;
}

const unreadable = (url: string, why: string, next: string): ActionableError =>
  new ActionableError({ what: `read ${url}`, why, next });
