import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain } from '@kopsctl/http/ask-again.ts';
import { type Http, NoAnswerError } from '@kopsctl/http/http.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { headersWith, type RequestSignature } from '../sign-request.ts';
import { callerIdentityRequest, type Sts } from './caller-identity-request.ts';
import { type CallerIdentity, readCallerIdentity, refusalCode } from './caller-identity.ts';

/** STS does not accept a signature; the message has its reason. */
export class StsRefusal extends Error {
  override readonly name = 'StsRefusal';
}

const ANSWER_WITHIN_MS = 10_000;
/** An answer has about 500 bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Few retries: a machine that is not believed asks again by itself, and all callers share the rate limit of the account. */
const PACE: Pace = { retries: 2, minTimeout: 100, factor: 3, maxTimeout: 1000, randomize: true };

/**
 * Asks STS whose keys made this signature of the request for the challenge.
 *
 * @throws StsRefusal if nobody's did, ActionableError if STS cannot be asked
 */
export async function askSts(
  sts: Sts,
  signed: RequestSignature,
  challenge: Uint8Array | undefined,
  { http, signal }: { readonly http: Http; readonly signal: AbortSignal },
): Promise<CallerIdentity> {
  const request = callerIdentityRequest(sts, challenge);
  const headers = headersWith(request, signed);
  const once = async (): Promise<CallerIdentity> => {
    const { status, body } = await http.ask(
      {
        method: 'POST',
        url: sts.endpoint,
        headers,
        body: request.body,
        withinMs: ANSWER_WITHIN_MS,
        maxBytes: MAX_ANSWER_BYTES,
      },
      signal,
    );
    if (status === 200) return readAnswer(body);
    const code = status === 400 || status === 403 ? refusalCode(body) : undefined;
    if (code !== undefined && !/Throttl/.test(code)) throw new StsRefusal(`STS refuses the signature: ${code}`);
    throw new Unexpected(`it answered ${code ?? status}`, code !== undefined || status === 429 || status >= 500);
  };
  const isPassing = (thrown: unknown): boolean =>
    thrown instanceof Unexpected
      ? thrown.isPassing
      : !(thrown instanceof StsRefusal) && !(thrown instanceof NoAnswerError);
  const explain = (cause: unknown): unknown => (cause instanceof StsRefusal ? cause : unanswered(sts, cause));
  return askAgain(once, { pace: PACE, isPassing, explain }, signal);
}

function readAnswer(body: string): CallerIdentity {
  try {
    return readCallerIdentity(body);
  } catch (thrown) {
    throw new Unexpected(messageOf(thrown), false);
  }
}

/** An answer that says nothing about the signature. */
class Unexpected extends Error {
  readonly isPassing: boolean;
  constructor(message: string, isPassing: boolean) {
    super(message);
    this.isPassing = isPassing;
  }
}

const unanswered = ({ endpoint }: Sts, cause: unknown): ActionableError =>
  new ActionableError({
    what: `ask STS at ${endpoint} which machine signed a request`,
    why: messageOf(cause),
    next: 'check the egress of this subnet: NAT gateway, route table, or a VPC endpoint for STS',
    cause,
  });
