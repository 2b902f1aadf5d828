import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** Somebody else changed the zone between our look and our change; nothing was changed by us. Look again. */
export class DnsConflictError extends ActionableError {
  override readonly name = 'DnsConflictError';

  constructor(zoneName: string, why: string, cause?: unknown) {
    super({
      what: `change the DNS zone ${zoneName}`,
      why,
      next: 'this is tried again by itself; if it lasts, find out who else writes these names',
      ...(cause === undefined ? {} : { cause }),
    });
  }
}
