import { agentService } from './agent-service.ts';

/**
 * protokube.service: keeps the volumes, names, routes and addons of a machine. It mounts volumes, sets routes, and gives
 * files back the owners that they had.
 */
export function protokubeUnit(): string {
  return agentService({
    description: 'kops protokube: volumes, names and addons of this machine',
    command: '/opt/kops/bin/protokube',
    configPath: '/etc/kops/protokube.json',
    rights: {
      capabilities: ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_NET_ADMIN', 'CAP_SYS_ADMIN'],
      // @privileged: chown.
      systemCalls: ['@mount', '@privileged'],
    },
  });
}
