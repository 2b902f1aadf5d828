import { agentService } from './agent-service.ts';

/** protokube.service: keeps the volumes, names, routes and addons of a machine. */
export function protokubeUnit(): string {
  return agentService({
    description: 'kops protokube: volumes, names and addons of this machine',
    command: '/opt/kops/bin/protokube',
    configPath: '/etc/kops/protokube.json',
  });
}
