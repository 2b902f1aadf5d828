/** The error code of AWS (`InvalidVpcID.NotFound`), or the name of another error. */
export function errorName(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const name: unknown = Reflect.get(thrown, 'Code') ?? Reflect.get(thrown, 'code') ?? Reflect.get(thrown, 'name');
  return typeof name === 'string' ? name : '';
}

/** Some services answer 400 to what passes, and only the code tells: too many requests, or another change is under way. */
const PASSING_CODES = /Throttl|TooManyRequests|RequestLimitExceeded|SlowDown|RequestTimeout|InProgress|NotComplete/;
/** 401: the client reads its credentials again, because they may have expired. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 408, 429]);

/** The status of the answer that AWS's clients, also those of S3, note on their errors; undefined where there was none. */
export function statusOf(thrown: unknown): number | undefined {
  const status: unknown = Reflect.get(Object(Reflect.get(Object(thrown), '$metadata')), 'httpStatusCode');
  return typeof status === 'number' ? status : undefined;
}

/** Whether the same request may succeed a moment later; undefined if the error did not come from AWS. */
export function isPassing(thrown: unknown): boolean | undefined {
  const status = statusOf(thrown);
  if (status === undefined) return undefined;
  return PASSING_STATUSES.has(status) || status >= 500 || PASSING_CODES.test(errorName(thrown));
}

/** Whether the account lacks the permission for a request. */
export const isForbidden = (thrown: unknown): boolean =>
  /AccessDenied|UnauthorizedOperation|NotAuthorized/.test(errorName(thrown));
