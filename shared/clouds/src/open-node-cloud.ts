import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { NodeCloud } from './node-cloud.ts';

/** Opens the cloud this machine runs in. Only the code of that one cloud is loaded. */
export async function openNodeCloud(cloud: string): Promise<NodeCloud> {
  switch (cloud) {
    case 'local':
      return (await import('./local/node.ts')).createLocalNodeCloud();
    default:
      throw new ActionableError({
        what: `run in the cloud ${cloud}`,
        why: 'this build knows no such cloud on a node (known: local)',
        next: 'check spec.cloudProvider of the cluster',
      });
  }
}
