import { findCluster } from '@kopsctl/apply/cluster-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** The command that makes a changed spec true: local machines are applied, clouds are updated as with kops. */
export async function nextCommand(store: StateStore, cluster: string, more: readonly string[] = []): Promise<string> {
  const stored = await findCluster(store, cluster);
  const verb = stored?.cluster.spec.cloudProvider === 'local' ? `apply --name ${cluster}` : `update cluster ${cluster}`;
  return ['kopsctl', verb, '--state', store.url, ...more, '--yes'].join(' ');
}
