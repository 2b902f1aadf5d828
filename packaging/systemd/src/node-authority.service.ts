import { agentService } from './agent-service.ts';

/** The user that the authority runs as: the network talks to it, and it needs nothing of the machine. */
export const AUTHORITY_SYSTEM_USER = 'kops-node-authority';

/** Where the rest of the machine keeps what it works with. The files there that hold secrets are for root alone anyway. */
const NOT_FOR_IT = ['/boot', '/etc/kubernetes', '/mnt', '/var/lib', '/var/log'];

/**
 * node-authority.service: attests machines that join the cluster. It reads its configuration, its certificates and keys, and the
 * CA of the cluster; about the cloud and the state store it learns what protokube tells it (decision 0011).
 */
export function nodeAuthorityUnit(): string {
  return agentService({
    description: 'kops node-authority: attests the machines of this cluster',
    command: '/opt/kops/bin/node-authority',
    configPath: '/etc/kops/node-authority.json',
    user: AUTHORITY_SYSTEM_USER,
    writable: [],
    unseen: NOT_FOR_IT,
    requires: 'metadata-guard.service',
  });
}
