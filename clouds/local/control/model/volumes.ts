import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { etcdVolumeTag } from '@kopsctl/model/etcd-clusters.ts';
import { zoneOf } from '@kopsctl/model/zone.ts';
import { LOCAL_NETWORK } from './network.ts';

/**
 * A volume per member of each etcd cluster, with the tags of kops. Volumes outlive the machines they are attached to. The
 * file behind a volume is sparse.
 */
export function localVolumes(facts: ClusterFacts, instanceGroups: readonly InstanceGroup[]): readonly Task[] {
  return facts.etcdClusters.flatMap((etcdCluster) => {
    const name = etcdCluster.name ?? '';
    const members = etcdCluster.etcdMembers ?? [];
    const all = members.map((member) => member.name ?? '').join(',');
    return members.map((member): Task => {
      const group = instanceGroups.find(({ metadata }) => metadata.name === member.instanceGroup);
      const volume = `${member.name}.etcd-${name}.${facts.clusterName}`;
      return {
        kind: 'local/Volume',
        name: volume,
        props: {
          name: volume,
          sizeGiB: completedValue('spec.etcdClusters[].etcdMembers[].volumeSize', member.volumeSize),
          zone: zoneOf(facts.spec, group),
          tags: {
            KubernetesCluster: facts.clusterName,
            [etcdVolumeTag(name)]: `${member.name}/${all}`,
            'k8s.io/role/master': '1',
          },
          network: { ref: `local/Network/${LOCAL_NETWORK}` },
        },
      };
    });
  });
}
