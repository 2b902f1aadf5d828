import { localHandlers } from '@kopsctl/clouds/local/handlers/handlers.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { regionOf } from '@kopsctl/model/cloud/aws/region.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { Handler } from '@kopsctl/tasks/task.ts';
import { openLocal } from './local-cluster.ts';
import type { LocalSettings } from './local-settings.ts';
import type { VpcInfo } from '@kopsctl/clouds/vpc-info.ts';

/** What carries out the tasks of a cluster's cloud. */
export interface CloudLayer {
  /** In the order in which things of a kind stand on things of earlier kinds. */
  readonly handlers: readonly Handler<object>[];
  /** What those handlers work with, beside what all handlers have. */
  readonly env: object;
  /** A network that exists; undefined where there is none of that id, or where the cloud has no networks. */
  readonly findVpcInfo: (id: string) => Promise<VpcInfo | undefined>;
}

export interface CloudLayerOptions {
  readonly cluster: Pick<Cluster, 'metadata' | 'spec'>;
  readonly settings: LocalSettings;
  /** Told in a sentence what takes long. */
  readonly say: (line: string) => void;
  /** What the cluster itself made counts as its own as well: all of it is to go. */
  readonly everything?: boolean;
}

/** The layer of a cluster's cloud. Opening it asks nothing of the cloud. */
export async function openCloudLayer(options: CloudLayerOptions): Promise<CloudLayer> {
  const { cluster, settings, say, everything = false } = options;
  const { name } = cluster.metadata;
  switch (cluster.spec.cloudProvider) {
    case 'local':
      return layer(localHandlers, { local: openLocal(name, settings, say) }, async () => undefined);
    case 'aws': {
      // Loaded here because AWS's clients are large, and other clouds never need them.
      const [{ awsHandlers }, { openAws }, { findVpcInfo }] = await Promise.all([
        import('@kopsctl/clouds/aws/handlers/aws-handlers.ts'),
        import('@kopsctl/clouds/aws/handlers/aws-cloud.ts'),
        import('@kopsctl/clouds/aws/handlers/vpc-info.ts'),
      ]);
      const aws = openAws({ clusterName: name, region: regionOf(name, cluster.spec), everything });
      return layer(awsHandlers, { aws }, (id) => findVpcInfo(aws, id));
    }
    default:
      throw new ActionableError({
        what: `reach the cloud of ${name}`,
        why: `there is nothing yet that drives the cloud provider ${cluster.spec.cloudProvider ?? '(none)'}`,
        next: 'use the cloud provider aws or local',
      });
  }
}

/** Handlers and what they work with are paired here, so that nobody else has to know which cloud it is. */
function layer<Env extends object>(
  handlers: readonly Handler<Env>[],
  env: Env,
  findVpcInfo: CloudLayer['findVpcInfo'],
): CloudLayer {
  return { handlers, env, findVpcInfo };
}
