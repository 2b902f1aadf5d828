import type { InstanceMetadata } from './metadata.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The region that this machine runs in; that of the environment where it names one. */
export async function machineRegion(metadata: InstanceMetadata, env: Env, signal: AbortSignal): Promise<string> {
  return env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || metadata.read('placement/region', signal);
}

/** Where EC2 of a region answers; the domain of AWS is another one in China and in separate partitions. */
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
