import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { LOG_LEVEL_VARIABLE, USUAL_LOG_LEVEL } from '@kopsctl/spec/etcd-defaults.ts';
import { managerVariable } from './manager-variable.ts';

/** Whether the log has a line for each look, and not only for each decision: the level of the spec is above the usual one. */
export function logDetail({ env }: Pick<EtcdClusterConfig, 'env'>): 'verbose' | undefined {
  const level = Number(managerVariable(env, LOG_LEVEL_VARIABLE));
  return level > USUAL_LOG_LEVEL ? 'verbose' : undefined;
}
