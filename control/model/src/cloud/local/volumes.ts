import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { etcdVolumeTag } from '../../etcd-clusters.ts';
import { zoneOf } from '../zone.ts';
import { LOCAL_NETWORK } from './network.ts';

/** kops's default (pkg/model/master_volumes.go); the file behind a local volume takes only what is written. */
const DEFAULT_SIZE_GIB = 20;

/** One volume per member of each etcd cluster, tagged as kops tags them. They outlive the machines they serve. */
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
          sizeGiB: member.volumeSize ?? DEFAULT_SIZE_GIB,
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
