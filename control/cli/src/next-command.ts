import { readStoredObject } from '@kopsctl/apply/stored-object.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** The command that makes a changed spec true: local machines are applied, clouds are updated as with kops. */
export async function nextCommand(store: StateStore, cluster: string, more: readonly string[] = []): Promise<string> {
  const { value } = await readStoredObject(store, cluster, 'Cluster', cluster);
  const isLocal = value.kind === 'Cluster' && value.spec.cloudProvider === 'local';
  const verb = isLocal ? `apply --name ${cluster}` : `update cluster ${cluster}`;
  return ['kopsctl', verb, '--state', store.url, ...more, '--yes'].join(' ');
}
