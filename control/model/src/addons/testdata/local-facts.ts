import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { type ClusterFacts, clusterFacts, type PreparedAssets } from '../../cluster-facts.ts';
import { completedCluster } from '../../testdata/clusters.ts';

/** A small cluster of local machines, completed; `spec` is laid over it. Without assets, its machines have no image. */
export const localFacts = (spec: ClusterSpec = {}, assets?: PreparedAssets): ClusterFacts =>
  clusterFacts(completedCluster({ spec }).cluster, 'memory://store', localModelCloud, assets);
