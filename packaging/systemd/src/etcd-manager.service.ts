import { agentService } from './agent-service.ts';

/**
 * etcd-manager.service: runs this machine's etcd members. Each etcd is a unit of its own, so restarting the manager
 * interrupts no member.
 */
export function etcdManagerUnit(): string {
  return agentService({
    description: 'kops etcd-manager: the etcd members of this machine',
    command: '/opt/kops/bin/etcd-manager',
    configPath: '/etc/kops/etcd-manager.json',
  });
}
