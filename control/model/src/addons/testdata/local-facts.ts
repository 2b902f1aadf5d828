import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { AssetSource } from '../../asset-catalog.ts';
import { type ClusterFacts, clusterFacts } from '../../cluster-facts.ts';
import { completedCluster } from '../../testdata/clusters.ts';

/** A small cluster of local machines, completed; `spec` is laid over it. Without assets, its machines have no image. */
export const localFacts = (spec: ClusterSpec = {}, assets?: AssetSource): ClusterFacts =>
  clusterFacts(completedCluster({ spec }).cluster, 'memory://store', localModelCloud, assets);
