import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';

/** The value of a variable of the manager's environment, which the spec gives; undefined if it is not set. */
export const managerVariable = (env: EtcdClusterConfig['env'], name: string): string | undefined =>
  env.find((one) => one.name === name)?.value;
