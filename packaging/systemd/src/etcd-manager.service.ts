import { agentService } from './agent-service.ts';

/** The agent itself, and buffers of backups on their way. */
const OWN_BYTES = 512 * 1024 ** 2;

/**
 * etcd-manager.service: runs this machine's etcd members. Each etcd has its own unit, so restarting the manager does
 * not interrupt a member. A temporary etcd of each cluster, which verifies a backup, runs within the unit: it keeps an
 * index of its keys in memory, which is never larger than its database.
 *
 * @param quotasBytes how large the database of each etcd cluster may become
 */
export function etcdManagerUnit(quotasBytes: readonly number[]): string {
  return agentService({
    description: 'kops etcd-manager: the etcd members of this machine',
    command: '/opt/kops/bin/etcd-manager',
    configPath: '/etc/kops/etcd-manager.json',
    memoryMaxBytes: quotasBytes.reduce((sum, quota) => sum + quota, OWN_BYTES),
  });
}
