import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { GoogleRefusal, isPassing as mayPass } from '@kopsctl/google/google-refusal.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';

export const isNotFound = (thrown: unknown): boolean => thrown instanceof GoogleRefusal && thrown.status === 404;

/** Whether the account lacks a right. Exceeded quotas of requests are answered with 403 too. */
export const isForbidden = (thrown: unknown): boolean =>
  thrown instanceof GoogleRefusal
    ? thrown.status === 403 && !thrown.reasons.some((reason) => /limit|quota/i.test(reason))
    : thrown instanceof ActionableError && thrown.cause !== undefined && isForbidden(thrown.cause);

/**
 * Whether the same request may succeed a moment later; undefined if the error did not come from Google. 401: the client reads its
 * credentials again, because they may have expired.
 */
export const isPassing = (thrown: unknown): boolean | undefined =>
  thrown instanceof GoogleRefusal ? thrown.status === 401 || mayPass(thrown) : undefined;

/** Whether the project does not use a service of Google's at all. */
export const isServiceOff = (thrown: unknown): boolean =>
  thrown instanceof GoogleRefusal
    ? thrown.reasons.some((reason) => SERVICE_OFF.includes(reason))
    : thrown instanceof ActionableError && thrown.cause !== undefined && isServiceOff(thrown.cause);

const SERVICE_OFF: readonly string[] = ['accessNotConfigured', 'SERVICE_DISABLED'];

/** Adds what a person can do to a refusal that trying again does not change; returns every other error as it is. */
function explained(thrown: unknown, what: string): unknown {
  if (thrown instanceof ActionableError) return thrown;
  const why = thrown instanceof GoogleRefusal ? thrown.said : messageOf(thrown);
  const permanent = (next: string): PermanentError => new PermanentError({ what, why, next, cause: thrown });
  if (!(thrown instanceof GoogleRefusal)) {
    return /default credentials|invalid_grant|invalid_rapt/.test(why)
      ? permanent('log in: gcloud auth application-default login')
      : thrown;
  }
  const { status, reasons } = thrown;
  if (isServiceOff(thrown)) {
    // The service is on in the project of the cluster, and the request counts against one of gcloud's.
    if (/quota project/i.test(why)) {
      return permanent('name a project of yours: gcloud auth application-default set-quota-project PROJECT');
    }
    return permanent('enable the service that the message names: gcloud services enable SERVICE');
  }
  if (status === 401) return permanent('log in again: gcloud auth application-default login');
  if (isForbidden(thrown)) return permanent('grant this account the permission, or use another account');
  // Quotas of resources; errors from quotas of requests are temporary.
  if (reasons.some((reason) => /^(quotaExceeded|QUOTA_EXCEEDED)$/.test(reason))) {
    return permanent('ask for more: https://console.cloud.google.com/iam-admin/quotas');
  }
  return thrown;
}

/** Does the work that `what` describes, and names it in the error of a failure. */
export async function doing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw explained(thrown, what);
  }
}
