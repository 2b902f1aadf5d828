import { printObject } from '@kopsctl/spec/print.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { Addon } from '../addons/addon.ts';
import { bootstrapChannel } from '../addons/bootstrap-channel.ts';
import { completedSpecPath } from './places.ts';
import type { AssetCatalog } from '../assets/asset-catalog.ts';
import { authorityGroups } from '../authority-groups.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { etcdAsset } from '../etcd-version.ts';
import { keysets, managedFile, secrets } from './keysets.ts';
import { nodeMarks } from './node-marks.ts';
import { withoutSchedulerConfiguration } from '../scheduler-configuration.ts';

/** The objects that machines need in the state store, in every cloud. The node plan of each group is added to them. */
export function storeContents(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
  assets: AssetCatalog,
  additionalObjects: string | undefined,
  addonsOfMachines: readonly Addon[] = [],
): { readonly identity: readonly Task[]; readonly files: readonly Task[] } {
  return {
    identity: [...keysets(facts), ...secrets(facts)],
    files: [
      ...specs(facts, assets),
      nodeMarks(facts, groups),
      authorityGroups(facts, groups),
      ...bootstrapChannel(
        facts,
        groups,
        additionalObjects && withoutSchedulerConfiguration(additionalObjects),
        addonsOfMachines,
      ),
    ],
  };
}

function specs(facts: ClusterFacts, assets: AssetCatalog): readonly Task[] {
  return [
    managedFile('cluster-completed', completedSpecPath(facts), printObject(facts.cluster)),
    // The wanted state of each etcd cluster, in the format of etcd-manager.
    ...facts.etcdClusters.map((etcdCluster) => {
      const wish = {
        memberCount: etcdCluster.etcdMembers?.length ?? 0,
        etcdVersion: etcdAsset(etcdCluster, assets).version,
      };
      return managedFile(
        `etcd-cluster-spec-${etcdCluster.name}`,
        `backups/etcd/${etcdCluster.name}/control/etcd-cluster-spec`,
        // Byte for byte what kops writes.
        JSON.stringify(wish, null, 2),
      );
    }),
  ];
}
