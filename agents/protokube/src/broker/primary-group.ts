import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** The number of a user's primary group. @param passwd the text of /etc/passwd, passwd(5) */
export function primaryGroup(passwd: string, user: string): number {
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === user);
  const group = fields?.[3];
  if (group !== undefined && /^\d+$/.test(group)) return Number(group);
  throw new ActionableError({
    what: `serve the node authority of this machine`,
    why: `/etc/passwd has no user ${user}`,
    next: 'run `nodeup`, which adds it',
  });
}
