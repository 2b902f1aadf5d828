import { agentService } from './agent-service.ts';

/**
 * etcd-manager.service: runs this machine's etcd members. Each etcd has its own unit, so restarting the manager does
 * not interrupt a member.
 */
export function etcdManagerUnit(): string {
  return agentService({
    description: 'kops etcd-manager: the etcd members of this machine',
    command: '/opt/kops/bin/etcd-manager',
    configPath: '/etc/kops/etcd-manager.json',
  });
}
