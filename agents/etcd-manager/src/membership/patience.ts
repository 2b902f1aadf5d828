import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { managerVariable } from '../manager-variable.ts';

/** Long enough for a machine to reboot. A shorter time would replace members during a rolling update. */
const PATIENCE_MS = 5 * 60_000;

/** How long a member may be silent before another machine replaces it (`ETCD_MANAGER_PATIENCE_SECONDS` of the manager). */
export function patienceMs(config: Pick<EtcdClusterConfig, 'env'>): number {
  const seconds = Number(managerVariable(config.env, 'ETCD_MANAGER_PATIENCE_SECONDS'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : PATIENCE_MS;
}
