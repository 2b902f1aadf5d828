import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { errorName, isForbidden, statusOf } from '../error-name.ts';

/** AWS has many error codes for a resource that does not exist. */
export function isNotFound(thrown: unknown): boolean {
  const name = errorName(thrown);
  return (
    /NotFound|NonExistent|NoSuch|DoesNotExist|Malformed.*Id|InvalidAMIID/i.test(name) ||
    (name === 'ValidationError' && /not found|does not exist/i.test(messageOf(thrown)))
  );
}

/** Whether the request may have taken effect although it failed. */
export function isAmbiguous(thrown: unknown): boolean {
  const status = statusOf(thrown);
  return status === undefined || status >= 500;
}

const MISSING_CREDENTIALS =
  /CredentialsProviderError|ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch/;

/** EC2 also says AuthFailure of one resource, such as an image of an account that shares it with others. */
const isRefusedClient = (name: string, why: string): boolean =>
  name === 'AuthFailure' && /validate the provided access credentials/i.test(why);

/** Adds what the user can do to an error that retrying does not solve; returns every other error unchanged. */
export function explained(thrown: unknown, what: string): unknown {
  if (thrown instanceof ActionableError) return thrown;
  const name = errorName(thrown);
  const why = messageOf(thrown);
  if (MISSING_CREDENTIALS.test(name) || isRefusedClient(name, why)) {
    const next = 'check the credentials: `aws sts get-caller-identity` uses the same';
    return new PermanentError({ what, why, next, cause: thrown });
  }
  if (isForbidden(thrown)) {
    return new PermanentError({
      what,
      why,
      next: 'grant this account the permission, or use another account',
      cause: thrown,
    });
  }
  return thrown;
}
