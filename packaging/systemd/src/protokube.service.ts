import { agentService } from './agent-service.ts';

/** protokube.service: volumes, names, routes and addons of one machine, for as long as it runs. */
export function protokubeUnit(): string {
  return agentService({
    description: 'kops protokube: volumes, names and addons of this machine',
    command: '/opt/kops/bin/protokube',
    configPath: '/etc/kops/protokube.json',
  });
}
