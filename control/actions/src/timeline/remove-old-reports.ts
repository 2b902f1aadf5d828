import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { inParallel } from '../store/in-parallel.ts';
import { oldReports } from './old-reports.ts';

export interface ReportsOf {
  readonly store: StateStore;
  readonly cluster: string;
  /** What the cloud lists, in groups and without: each may know of machines that the other one does not. */
  readonly groups: (signal: AbortSignal) => Promise<readonly FleetGroup[]>;
  readonly machines: () => Promise<readonly Machine[]>;
  readonly kube: Pick<KubeClient, 'get'>;
}

/**
 * Removes the reports of machines that have long been gone. A machine exists that the cloud or the Kubernetes API knows: only if both have
 * answered, something is removed. Neither is asked where there are no more reports than are kept.
 */
export async function removeOldReports(
  { store, cluster, groups, machines, kube }: ReportsOf,
  signal: AbortSignal,
): Promise<void> {
  const entries = await store.list(`${cluster}/nodes`, signal);
  if (oldReports(cluster, entries, new Set()).length === 0) return;
  const there = new Set<string>();
  const [grouped, listed] = await Promise.all([
    groups(signal),
    machines(),
    listObjects(kube, '/api/v1/nodes', signal, (node) => {
      there.add(asString(asRecord(asRecord(node)['metadata'])['name']) ?? '');
    }),
  ]);
  for (const { nodeName } of [...grouped.flatMap((group) => group.machines), ...listed]) there.add(nodeName);
  for (const { nodeName } of grouped.flatMap(({ missing = [] }) => missing)) there.add(nodeName);
  await inParallel(oldReports(cluster, entries, there), async ({ path, version }) => {
    try {
      await store.delete(path, { ifVersion: version }, signal);
    } catch (error) {
      // A machine has written it at this moment: it exists.
      if (!(error instanceof ConflictError)) throw error;
    }
  });
}
