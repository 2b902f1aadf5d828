import { specCloud } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { machinesStore } from '@kopsctl/model/store/machines-store.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { isInS3, needsServer } from '@kopsctl/state-store/s3/s3-schemes.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from './action.ts';

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
  const isAmazons = name === undefined || isOfAmazon(env[name] ?? '');
  if (isHere || !isInS3(storeUrl) || (isAmazons && !needsServer(storeUrl))) return;
  const server =
    name === undefined ? 'a server of S3 that only you know' : `the server that ${name} names (${env[name] ?? ''})`;
  throw new ActionableError({
    what: `make machines that use the state store ${storeUrl}`,
    why: `it is at ${server}, and machines are not told of that server`,
    next: 'keep the cluster in a bucket of Amazon S3 or Google Cloud Storage; a server of your own serves clusters on this computer',
  });
}

/** Of S3 in a region or of all, of its dual-stack and FIPS servers, and of an endpoint in a VPC. */
const S3_HOSTS =
  /^(s3|s3-[a-z0-9-]+)(\.dualstack)?(\.[a-z0-9-]+)?\.amazonaws\.com(\.cn)?$|^bucket\.vpce-[a-z0-9-]+\.s3\.[a-z0-9-]+\.vpce\.amazonaws\.com(\.cn)?$/;

/**
 * Whether an address, with or without its scheme, is one of S3 itself, where machines look as well. Machines and balancers of
 * anybody have names below amazonaws.com too.
 */
function isOfAmazon(endpoint: string): boolean {
  const url = URL.parse(/^https?:/i.test(endpoint) ? endpoint : `https://${endpoint}`);
  return url !== null && url.port === '' && url.pathname === '/' && S3_HOSTS.test(url.hostname);
}

/** The same for the store of a cluster, and for the place where its machines look for it. */
export function refuseUnreachedStore(
  { env }: Pick<ActionContext, 'env'>,
  { url }: Pick<StateStore, 'url'>,
  { cluster }: Pick<Completed, 'cluster'>,
): void {
  const isHere = specCloud(cluster).traits.sharesHost;
  for (const one of new Set([url, machinesStore(cluster)])) refuseOwnServer(one, { isHere }, env);
}
