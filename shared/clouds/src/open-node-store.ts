import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

export interface NodeStoreConfig {
  readonly cloud: string;
  readonly stateStore: string;
}

const REGION_VARIABLES = ['KOPS_S3_REGION', 'S3_REGION', 'AWS_REGION', 'AWS_DEFAULT_REGION'];

/**
 * Opens the state store from a machine, with the rights that the machine has. Where nothing names a region, S3 is
 * asked in the region that the machine runs in: that of another partition would not know its keys.
 */
export async function openNodeStore(
  { cloud, stateStore }: NodeStoreConfig,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<StateStore> {
  const isOpenRegion = cloud === 'aws' && stateStore.startsWith('s3:') && REGION_VARIABLES.every((name) => !env[name]);
  if (!isOpenRegion) return openStore(stateStore, env);
  const { metadataEndpoint, openMetadata } = await import('./aws/node/metadata.ts');
  const region = await openMetadata(metadataEndpoint(env)).read('placement/region', signal);
  return openStore(stateStore, { ...env, AWS_REGION: region });
}
