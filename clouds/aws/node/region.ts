import type { InstanceMetadata } from './metadata.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The region in the environment, or else the region of this machine. */
export async function machineRegion(metadata: InstanceMetadata, env: Env, signal: AbortSignal): Promise<string> {
  return env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || metadata.read('placement/region', signal);
}

/** As the AWS CLI calls them (its guide, "Service-specific endpoints"). */
const VARIABLES = { autoscaling: 'AUTO_SCALING', ec2: 'EC2', sts: 'STS' } as const;

/** The endpoint of a service in a region; China and isolated partitions have other domains. */
export async function serviceEndpoint(
  service: 'autoscaling' | 'ec2' | 'sts',
  region: string,
  { metadata, env }: { readonly metadata: InstanceMetadata; readonly env: Env },
  signal: AbortSignal,
): Promise<string> {
  const named = env[`AWS_ENDPOINT_URL_${VARIABLES[service]}`] || env['AWS_ENDPOINT_URL'];
  if (named) return named.endsWith('/') ? named : `${named}/`;
  return `https://${service}.${region}.${await metadata.read('services/domain', signal)}/`;
}
