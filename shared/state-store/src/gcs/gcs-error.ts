import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** The HTTP status that Google's client puts into `code`; undefined where no answer came. */
function statusOf(thrown: unknown): number | undefined {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  const status = Number(code);
  return Number.isInteger(status) && status >= 100 && status < 600 ? status : undefined;
}

export const isAbsent = (thrown: unknown): boolean => statusOf(thrown) === 404;

/** The object has another generation than the request names. */
export const isConflict = (thrown: unknown): boolean => statusOf(thrown) === 412;

/** Whether to try again: there was no answer, or one that asks for it (docs of Cloud Storage, "Retry strategy"). */
export function isPassing(thrown: unknown): boolean {
  const status = statusOf(thrown);
  if (status !== undefined) return status === 408 || status === 429 || status >= 500;
  return ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'].includes(codeOf(thrown) ?? '');
}

/** Explains an error of Cloud Storage, with the next step. */
export function explainGcsError(thrown: unknown, what: string, bucket: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ActionableError || thrown.name === 'AbortError') return thrown;
  const status = statusOf(thrown);
  const answer = messageOf(thrown);
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
  if (status === undefined && codeOf(thrown)?.startsWith('E') !== true) return thrown;
  return explain(
    status === undefined ? `Cloud Storage did not answer (${answer})` : `Cloud Storage answered ${status}: ${answer}`,
    'check the network, then repeat the command',
  );
}
