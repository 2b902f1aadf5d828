import type { InstanceMetadata } from './metadata.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The region in the environment, or else the region of this machine. */
export async function machineRegion(metadata: InstanceMetadata, env: Env, signal: AbortSignal): Promise<string> {
  return env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || metadata.read('placement/region', signal);
}

/** The EC2 endpoint of a region; China and isolated partitions have other domains. */
export async function ec2Endpoint(
  region: string,
  metadata: InstanceMetadata,
  env: Env,
  signal: AbortSignal,
): Promise<string> {
  const named = env['AWS_ENDPOINT_URL_EC2'] || env['AWS_ENDPOINT_URL'];
  if (named) return named.endsWith('/') ? named : `${named}/`;
  return `https://ec2.${region}.${await metadata.read('services/domain', signal)}/`;
}
