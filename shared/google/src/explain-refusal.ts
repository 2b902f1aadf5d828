import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { GoogleRefusal } from './google-refusal.ts';

/** What a machine must have for a call. */
export interface Needs {
  /** A permission or a role, as IAM calls it: `compute.instances.list`, `roles/dns.admin`. */
  readonly right: string;
  /** The narrowest access scope that allows it, without `https://www.googleapis.com/auth/`. */
  readonly scope: string;
  /** `compute.googleapis.com` */
  readonly service: string;
  /** What to do when no right is missing. */
  readonly otherwise: string;
}

/** Names what a machine lacks: an access scope, a right of its service account, or the API itself. */
export function explainRefusal(what: string, needs: Needs, cause: GoogleRefusal): ActionableError {
  const why = `Google answered ${cause.status}: ${cause.said}`;
  return new ActionableError({ what, why, next: nextStep(needs, cause), cause });
}

function nextStep({ right, scope, service, otherwise }: Needs, { status, reasons }: GoogleRefusal): string {
  if (reasons.includes('accessNotConfigured') || reasons.includes('SERVICE_DISABLED')) {
    return `gcloud services enable ${service}`;
  }
  // The tokens of a machine are limited to the scopes of the machine, whatever its service account may do.
  if (reasons.includes('insufficientPermissions') || reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
    return `give the machine the access scope ${scope} (or cloud-platform) by its instance template; \`gcloud compute instances describe\` shows its scopes`;
  }
  if (status === 401 || status === 403) return `give the machine's service account ${right}`;
  return otherwise;
}
