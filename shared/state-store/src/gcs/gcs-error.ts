import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { GoogleRefusal, isPassing as mayPass } from '@kopsctl/google/google-refusal.ts';
import { NoAnswerError } from '@kopsctl/http/http.ts';

const statusOf = (thrown: unknown): number | undefined => (thrown instanceof GoogleRefusal ? thrown.status : undefined);

/** The object or its bucket is not there; Google gives both the same reason (`notFound`). */
export const isAbsent = (thrown: unknown): boolean => statusOf(thrown) === 404;

/** The object has another generation than the request names. */
export const isConflict = (thrown: unknown): boolean => statusOf(thrown) === 412;

export const isForbidden = (thrown: unknown): boolean => [401, 403].includes(statusOf(thrown) ?? 0);

/** Whether to try again: there was no answer, or one that asks for it (docs of Cloud Storage, "Retry strategy"). */
export function isPassing(thrown: unknown): boolean {
  if (thrown instanceof GoogleRefusal) return mayPass(thrown);
  if (thrown instanceof NoAnswerError) return true;
  return ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'].includes(codeOf(thrown) ?? '');
}

/** Explains an error of Cloud Storage, with the next step. */
export function explainGcsError(thrown: unknown, what: string, bucket: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ActionableError || thrown.name === 'AbortError') return thrown;
  const status = statusOf(thrown);
  const answer = thrown instanceof GoogleRefusal ? thrown.said : messageOf(thrown);
  const explain = (why: string, next: string) => new ActionableError({ what, why, next, cause: thrown });
  if (status === 404) {
    return explain(
      `there is no bucket ${bucket} (${answer})`,
      `create it: gcloud storage buckets create gs://${bucket}, or check --state / KOPS_STATE_STORE`,
    );
  }
  if (status === 401 || status === 403) {
    return explain(
      `Cloud Storage refused it (${status}: ${answer})`,
      `check the credentials, and that they have roles/storage.objectAdmin on ${bucket}; a machine needs an access scope too, devstorage.read_write`,
    );
  }
  if (/could not load the default credentials/i.test(answer)) {
    return explain('no credentials of Google Cloud were found', 'gcloud auth application-default login');
  }
  // An error that does not come from the network is the caller's, e.g. a source that fails.
  const isOfNetwork = thrown instanceof NoAnswerError || codeOf(thrown)?.startsWith('E') === true;
  if (status === undefined && !isOfNetwork) return thrown;
  return explain(
    status === undefined ? `Cloud Storage did not answer (${answer})` : `Cloud Storage answered ${status}: ${answer}`,
    'check the network, then repeat the command',
  );
}
