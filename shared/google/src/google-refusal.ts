/** A call that Google refused. */
export class GoogleRefusal extends Error {
  override readonly name = 'GoogleRefusal';
  readonly status: number;
  /** What Google calls it, in each of its ways: `forbidden`, `ACCESS_TOKEN_SCOPE_INSUFFICIENT`, … */
  readonly reasons: readonly string[];
  /** What Google says of it, without what was asked. */
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

/** A body that is no answer of Google's, but a page of some proxy, is shown this far. */
const SHOWN_CHARACTERS = 200;

/** Reads the answer to a call that was refused (https://cloud.google.com/apis/design/errors, and `errors` before it). */
export function refusalOf(asked: string, status: number, body: string): GoogleRefusal {
  const error = errorIn(body);
  if (error === undefined)
    return new GoogleRefusal(asked, { status, reasons: [], said: body.slice(0, SHOWN_CHARACTERS) });
  const { message = '', errors = [], details = [] } = error;
  const reasons = [...details, ...errors].flatMap(({ reason }) => reason ?? []);
  return new GoogleRefusal(asked, { status, reasons: [...new Set(reasons)], said: message });
}

function errorIn(body: string): ErrorAnswer | undefined {
  try {
    const { error }: { readonly error?: ErrorAnswer } = JSON.parse(body);
    return error;
  } catch {
    return undefined;
  }
}

interface ErrorAnswer {
  readonly message?: string;
  readonly errors?: readonly { readonly reason?: string }[];
  readonly details?: readonly { readonly reason?: string }[];
}

/** Whether the same call may succeed a moment later. Quotas of calls a minute answer 403, unlike missing rights. */
export const isPassing = ({ status, reasons }: GoogleRefusal): boolean =>
  status === 408 ||
  status === 429 ||
  status >= 500 ||
  (status === 403 && reasons.some((reason) => /^(user)?rateLimitExceeded$|^RATE_LIMIT_EXCEEDED$/.test(reason)));
