import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { NodeCloud } from './node-cloud.ts';

/** What a machine knows of its cluster before it asks the cloud. */
export interface NodeCloudOptions {
  readonly cluster: string;
  /** What Nodes are called after can depend on the Kubernetes version; a machine's own name shows it as well. */
  readonly naming: { readonly kubernetesVersion: string } | { readonly nodeName: string };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens the cloud this machine runs in. Only the code of that one cloud is loaded. */
export async function openNodeCloud(cloud: string, options: NodeCloudOptions): Promise<NodeCloud> {
  switch (cloud) {
    case 'local':
      return (await import('./local/node.ts')).createLocalNodeCloud();
    case 'aws': {
      const [{ createAwsNodeCloud }, { nodeNaming }] = await Promise.all([
        import('./aws/node/aws-node-cloud.ts'),
        import('./aws/node/node-name.ts'),
      ]);
      return createAwsNodeCloud({ ...options, naming: nodeNaming(options.naming) });
    }
    case 'gce':
      return (await import('./gce/node/gce-node-cloud.ts')).createGceNodeCloud(options);
    default:
      throw new ActionableError({
        what: `run in the cloud ${cloud}`,
        why: 'this build knows no such cloud on a node (known: aws, gce, local)',
        next: 'check spec.cloudProvider of the cluster',
      });
  }
}
