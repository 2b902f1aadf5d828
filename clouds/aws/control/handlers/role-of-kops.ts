import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/**
 * Refuses the variable by which kops acts with the rights of a role: without it, requests would go to the account of whoever
 * called.
 *
 * @throws ActionableError if it is set
 */
export function refuseRoleOfKops({ KOPS_AWS_ROLE_ARN: role }: Readonly<Record<string, string | undefined>>): void {
  if (role === undefined || role === '') return;
  throw new ActionableError({
    what: 'use the credentials for AWS',
    why: `KOPS_AWS_ROLE_ARN is set to ${role}, and kopsctl does not assume roles itself`,
    next: 'unset it, and name a profile that has role_arn and source_profile in AWS_PROFILE',
  });
}
