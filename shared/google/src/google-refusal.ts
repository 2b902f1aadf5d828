import { AnswerFields } from './answer-fields.ts';

/** A call that Google refused. */
export class GoogleRefusal extends Error {
  override readonly name = 'GoogleRefusal';
  readonly status: number;
  /** Google's names for it, old and new: `forbidden`, `ACCESS_TOKEN_SCOPE_INSUFFICIENT`, … */
  readonly reasons: readonly string[];
  /** Google's message, without the request. */
  readonly said: string;

  constructor(asked: string, { status, reasons, said }: Refused) {
    super(`${asked}: ${status} ${[...reasons, said].filter((part) => part !== '').join(': ')}`);
    this.status = status;
    this.reasons = reasons;
    this.said = said;
  }
}

interface Refused {
  readonly status: number;
  readonly reasons: readonly string[];
  readonly said: string;
}

/** How much is shown of a body that is not Google's, e.g. the page of a proxy. */
const SHOWN_CHARACTERS = 200;

/** Reads the answer to a refused call (https://cloud.google.com/apis/design/errors, and `errors` before it). */
export function refusalOf(asked: string, status: number, body: string): GoogleRefusal {
  const error = errorIn(body);
  if (error === undefined)
    return new GoogleRefusal(asked, { status, reasons: [], said: body.slice(0, SHOWN_CHARACTERS) });
  return new GoogleRefusal(asked, { status, ...error });
}

/** Undefined for a body that is not one of Google's errors. */
function errorIn(body: string): Omit<Refused, 'status'> | undefined {
  try {
    const error = new AnswerFields(JSON.parse(body), 'Google').object('error');
    const reasons = [...error.list('details'), ...error.list('errors')].map((detail) => detail.text('reason', ''));
    return { reasons: [...new Set(reasons.filter((reason) => reason !== ''))], said: error.text('message', '') };
  } catch {
    return undefined;
  }
}

/** Whether the same call may succeed a moment later. An exhausted quota of calls per minute answers 403, as a missing right does. */
export const isPassing = ({ status, reasons }: GoogleRefusal): boolean =>
  status === 408 ||
  status === 429 ||
  status >= 500 ||
  (status === 403 && reasons.some((reason) => /^(user)?rateLimitExceeded$|^RATE_LIMIT_EXCEEDED$/.test(reason)));
