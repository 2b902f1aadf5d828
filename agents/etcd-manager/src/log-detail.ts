import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { LOG_LEVEL_VARIABLE, USUAL_LOG_LEVEL } from '@kopsctl/spec/etcd-defaults.ts';

/** Whether the log has a line for each look, and not only for each decision: the level of the spec is above the usual one. */
export function logDetail({ env }: Pick<EtcdClusterConfig, 'env'>): 'verbose' | undefined {
  const level = Number(env.find(({ name }) => name === LOG_LEVEL_VARIABLE)?.value);
  return level > USUAL_LOG_LEVEL ? 'verbose' : undefined;
}
