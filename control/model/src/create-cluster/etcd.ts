import type { EtcdClusterSpec } from '@kopsctl/spec/cluster.ts';
import { BACKUP_RETENTION_DAYS, ETCD_CLUSTERS, etcdRequests } from '@kopsctl/spec/etcd-defaults.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { CreateClusterFlags } from './flags.ts';
import { nonEmpty } from './given.ts';
import { refusal } from './refusal.ts';

/** One member of each etcd cluster for every control-plane group. */
export function etcdClustersOf(
  flags: CreateClusterFlags,
  controlPlanes: readonly InstanceGroup[],
  options: { readonly encrypted: boolean; readonly additional: string | undefined },
): readonly EtcdClusterSpec[] {
  if (controlPlanes.length % 2 === 0) {
    throw refusal(
      `${controlPlanes.length} control planes would give etcd ${controlPlanes.length} members`,
      'choose an odd number with --control-plane-count or --control-plane-zones, so that there is always a clear majority',
    );
  }
  const groups = controlPlanes.map(({ metadata }) => metadata.name);
  const members = memberNames(groups);
  const storage = nonEmpty(flags.etcdStorageType);
  const clusters = [
    ...(nonEmpty(flags.etcdClusters) ?? ETCD_CLUSTERS),
    ...(options.additional === undefined ? [] : [options.additional]),
  ];
  return clusters.map((name) => ({
    name,
    ...etcdRequests(name),
    manager: { backupRetentionDays: BACKUP_RETENTION_DAYS },
    etcdMembers: groups.map((instanceGroup, index) => ({
      name: members[index] ?? instanceGroup,
      instanceGroup,
      ...(options.encrypted ? { encryptedVolume: true } : {}),
      ...(storage === undefined ? {} : { volumeType: storage }),
    })),
  }));
}

/** How long backups are kept is written down, also for etcd clusters that --set adds (kops upup/pkg/fi/cloudup/defaults.go). */
export const withRetention = ({ manager, ...etcd }: EtcdClusterSpec): EtcdClusterSpec => ({
  ...etcd,
  manager: { backupRetentionDays: BACKUP_RETENTION_DAYS, ...manager },
});

/**
 * The part of the names that differs between the groups: `a`, `b`, `c`. A name that would begin with a digit is written
 * `etcd-1`.
 */
export function memberNames(groups: readonly string[]): readonly string[] {
  const names = groups.map((name) => name.replace(/^control-plane-/, '').replace(/^master-/, ''));
  const [first = ''] = names;
  let common = 0;
  while (common < first.length - 1 && names.every((name) => name[common] === first[common])) common++;
  return names.map((name) => name.slice(common)).map((name) => (/^\d/.test(name) ? `etcd-${name}` : name));
}
