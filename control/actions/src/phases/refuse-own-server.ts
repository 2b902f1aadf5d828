import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/**
 * Refuses to make machines elsewhere for a store at a server of one's own: they get the address of the store alone, would look
 * for it at Amazon, and have no keys for the server. Pure.
 *
 * @param isHere the machines are on this computer, which has the store
 */
export function refuseOwnServer(
  storeUrl: string,
  { isHere }: { readonly isHere: boolean },
  env: Readonly<Record<string, string | undefined>>,
): void {
  const name = ['KOPS_S3_ENDPOINT', 'S3_ENDPOINT'].find((one) => (env[one] ?? '') !== '');
  if (isHere || name === undefined || !storeUrl.startsWith('s3://')) return;
  throw new ActionableError({
    what: `make machines that use the state store ${storeUrl}`,
    why: `it is at the server that ${name} names (${env[name] ?? ''}), and machines are not told of that server`,
    next: 'keep the cluster in a bucket of Amazon S3 or Google Cloud Storage; a server of your own serves clusters on this computer',
  });
}
