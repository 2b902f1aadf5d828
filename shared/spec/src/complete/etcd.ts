import { BACKUP_RETENTION_DAYS, ETCD_CLUSTERS, etcdRequests } from '../etcd-defaults.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { isControlPlane } from '../names.ts';
import type { ClusterRule, Known } from './rule.ts';

/** GiB, for every cloud (kops pkg/model/master_volumes.go). */
const VOLUME_SIZE = 20;

export const etcdRules: readonly ClusterRule[] = [
  {
    name: 'one etcd member per control-plane machine',
    infer: (known) => {
      const members = membersOf(known);
      if (members.length === 0) return {};
      const etcdClusters =
        known.spec.etcdClusters?.map(({ name }) => ({ name })) ??
        ETCD_CLUSTERS.map((name) => ({ name, ...etcdRequests(name) }));
      return { etcdClusters: etcdClusters.map((etcd) => ({ ...etcd, etcdMembers: members })) };
    },
  },
  {
    name: 'kops default',
    infer: ({ spec, defaults }) => ({
      etcdClusters: spec.etcdClusters?.map(({ name }) => ({
        name,
        provider: 'Manager',
        version: defaults?.etcdVersion,
        manager: { backupRetentionDays: BACKUP_RETENTION_DAYS },
        backups: spec.configBase === undefined ? undefined : { backupStore: `${spec.configBase}/backups/etcd/${name}` },
      })),
    }),
  },
  {
    name: 'default of the volumes of etcd',
    infer: ({ spec }) => ({
      etcdClusters: spec.etcdClusters?.map(({ name, etcdMembers }) => ({
        name,
        etcdMembers: etcdMembers?.map((member) => ({ name: member.name, volumeSize: VOLUME_SIZE })),
      })),
    }),
  },
];

/**
 * Members are named a, b, c … like those of kops: by the last letter of the zone if each group has one machine in a zone
 * of its own, otherwise by the order of the groups. Members are inferred only when the sizes of all control-plane groups
 * are known.
 */
function membersOf({ instanceGroups, spec }: Known): readonly { name: string; instanceGroup: string }[] {
  const groups = instanceGroups.filter(isControlPlane);
  if (groups.some((group) => group.spec.maxSize === undefined)) return [];
  const owners = groups.flatMap((group) => Array.from({ length: Math.min(group.spec.maxSize ?? 0, 26) }, () => group));
  const byZone = owners.map((group) => zoneLetter(group, spec));
  const distinct =
    owners.length === groups.length && new Set(byZone).size === owners.length && !byZone.includes(undefined);
  return owners.map((group, index) => ({
    name: (distinct ? byZone[index] : undefined) ?? String.fromCodePoint(97 + index),
    instanceGroup: group.metadata.name,
  }));
}

function zoneLetter(group: InstanceGroup, spec: Known['spec']): string | undefined {
  const [subnetName, ...others] = group.spec.subnets ?? [];
  const zone = group.spec.zones?.[0] ?? spec.subnets?.find(({ name }) => name === subnetName)?.zone;
  return others.length === 0 ? /[^a-z]([a-z])$/.exec(zone ?? '')?.[1] : undefined;
}
