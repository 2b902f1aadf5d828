import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** Another writer changed the zone after it was listed. The change was not applied; list the zone again. */
export class DnsConflictError extends ActionableError {
  override readonly name = 'DnsConflictError';

  constructor(zoneName: string, why: string, cause?: unknown) {
    super({
      what: `change the DNS zone ${zoneName}`,
      why,
      next: 'the change is retried automatically; if the error persists, find out what else writes these names',
      ...(cause === undefined ? {} : { cause }),
    });
  }
}
