import { agentService } from './agent-service.ts';

/** The user that the authority runs as: the network talks to it, and it needs nothing of the machine. */
export const AUTHORITY_SYSTEM_USER = 'kops-node-authority';

/** node-authority.service: attests machines that join the cluster. */
export function nodeAuthorityUnit(): string {
  return agentService({
    description: 'kops node-authority: attests the machines of this cluster',
    command: '/opt/kops/bin/node-authority',
    configPath: '/etc/kops/node-authority.json',
    user: AUTHORITY_SYSTEM_USER,
    writable: [],
  });
}
