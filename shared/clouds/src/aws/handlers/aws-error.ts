import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';

/** The name that AWS gives an error (`InvalidVpcID.NotFound`), or that of the error itself. */
export function errorName(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const name: unknown = Reflect.get(thrown, 'Code') ?? Reflect.get(thrown, 'code') ?? Reflect.get(thrown, 'name');
  return typeof name === 'string' ? name : '';
}

/** AWS says in many ways that a thing is not there. */
export function isNotFound(thrown: unknown): boolean {
  const name = errorName(thrown);
  return (
    /NotFound|NonExistent|NoSuch|DoesNotExist|Malformed.*Id/i.test(name) ||
    (name === 'ValidationError' && /not found|does not exist/i.test(messageOf(thrown)))
  );
}

/** Whether the request may have been carried out although no answer says so. */
export function isAmbiguous(thrown: unknown): boolean {
  const status: unknown = Reflect.get(Object(Reflect.get(Object(thrown), '$metadata')), 'httpStatusCode');
  return typeof status !== 'number' || status >= 500;
}

const MISSING_CREDENTIALS =
  /CredentialsProviderError|ExpiredToken|InvalidClientTokenId|AuthFailure|UnrecognizedClient|SignatureDoesNotMatch/;
const FORBIDDEN = /AccessDenied|UnauthorizedOperation|NotAuthorized/;

/** What a person can do about an error that does not go away by itself; every other error as it is. */
export function explained(thrown: unknown, what: string): unknown {
  if (thrown instanceof ActionableError) return thrown;
  const name = errorName(thrown);
  const why = messageOf(thrown);
  if (MISSING_CREDENTIALS.test(name)) {
    const next = 'check the credentials: `aws sts get-caller-identity` uses the same';
    return new PermanentError({ what, why, next, cause: thrown });
  }
  if (FORBIDDEN.test(name)) {
    return new PermanentError({
      what,
      why,
      next: 'let the account that runs this do it, or use another',
      cause: thrown,
    });
  }
  return thrown;
}
