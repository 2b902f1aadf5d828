import { CLOUDS, findCloud } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudDriver, CloudLayer, HostSettings } from '@kopsctl/model/cloud.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';

export interface CloudLayerOptions {
  readonly cluster: Pick<Cluster, 'metadata' | 'spec'>;
  /** The state store that holds the cluster. */
  readonly storeUrl: string;
  readonly settings: HostSettings;
  /** Called with a sentence about what takes long. */
  readonly say: (line: string) => void;
  /** What the cluster itself made counts as its own as well: all of it is to go. */
  readonly everything?: boolean;
}

/** Whether clusters of a cloud can be made and deleted, and not only be kept, shown and converted. */
export const canMake = (cloudProvider: string | undefined): boolean => findCloud(cloudProvider)?.driver !== undefined;

/** What drives the cloud of a cluster. @throws ActionableError where nothing does yet */
export function driverOf({ metadata, spec }: Pick<Cluster, 'metadata' | 'spec'>): CloudDriver {
  const driver = findCloud(spec.cloudProvider)?.driver;
  if (driver !== undefined) return driver;
  const driven = CLOUDS.filter((cloud) => cloud.driver !== undefined).map(({ name }) => name);
  throw new ActionableError({
    what: `reach the cloud of ${metadata.name}`,
    why: `kopsctl does not support the cloud provider ${spec.cloudProvider ?? '(none)'} yet`,
    next: `use the cloud provider ${driven.join(' or ')}`,
  });
}

/** The layer of a cluster's cloud. Opening it asks nothing of the cloud. */
export const openCloudLayer = async (options: CloudLayerOptions): Promise<CloudLayer> =>
  driverOf(options.cluster).open({ everything: false, ...options });
