import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InstanceMetadata } from '../metadata.ts';
import { machineRegion, serviceEndpoint } from '../region.ts';
import type { Sts } from './caller-identity-request.ts';

/** The STS of this machine's region, to which all machines of a cluster have to agree: its name is signed. */
export async function openSts(
  metadata: InstanceMetadata,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Sts> {
  const region = await machineRegion(metadata, env, signal);
  const endpoint = await serviceEndpoint('sts', region, { metadata, env }, signal);
  const { pathname, search } = new URL(endpoint);
  if (pathname === '/' && search === '') return { endpoint, region };
  throw new ActionableError({
    what: 'prove to STS which machine this is',
    why: `requests are signed for the path /, and the endpoint is ${endpoint}`,
    next: 'correct AWS_ENDPOINT_URL_STS or AWS_ENDPOINT_URL of this machine',
  });
}
