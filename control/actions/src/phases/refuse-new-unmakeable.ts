import { refuseTooNewVersion } from '../spec/refuse-too-new-version.ts';
import { refuseUnmakeable, wholeOf } from '../spec/refuse-unmakeable.ts';
import type { ClusterObjects } from '../files/object-files.ts';
import { refuseUnmadeCloud } from './refuse-unmade-cloud.ts';

/**
 * Refuses new clusters that could not be made: in a cloud that nothing drives, with a Kubernetes that is too new, or with
 * faults that completion brings to light. No cloud is asked, so what only it knows is found when the cluster is planned.
 */
export function refuseNewUnmakeable(
  clusters: readonly ClusterObjects[],
  storeUrl: string,
  env: Readonly<NodeJS.ProcessEnv>,
): void {
  for (const given of clusters) {
    const { cluster } = wholeOf(given);
    if (cluster === undefined) continue;
    refuseUnmadeCloud(cluster);
    refuseTooNewVersion(cluster, env, given.objects);
    refuseUnmakeable(given, storeUrl);
  }
}
