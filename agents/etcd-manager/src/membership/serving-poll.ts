import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { parseDurationMs } from '@kopsctl/spec/duration.ts';
import { POLL_INTERVAL_SECONDS, POLL_INTERVAL_VARIABLE } from '@kopsctl/spec/etcd-defaults.ts';
import { managerVariable } from '../manager-variable.ts';

const SHORTEST_MS = 1_000;
/** A leader that looked less often would have to start anew whenever it counts for how long a member has been silent. */
const LONGEST_MS = 30_000;

/**
 * How often the leader looks at the members while all is well, from the manager's environment as in kops, e.g. `5s`. Only
 * silent members and edits of the cluster have to be noticed then.
 */
export function servingPollMs({ env }: Pick<EtcdClusterConfig, 'env'>): number {
  const value = managerVariable(env, POLL_INTERVAL_VARIABLE);
  const wished = parseDurationMs(value ?? '') ?? POLL_INTERVAL_SECONDS * 1_000;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, wished));
}
