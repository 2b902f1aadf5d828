import type { FaultCluster } from './fault-cluster.ts';
import { violations } from './history.ts';
import type { Traffic } from './traffic.ts';

/**
 * Stops the clients once they have written again. Resolves with the violations in their history.
 *
 * @param seen the cluster ids that members have reported meanwhile
 */
export async function brokenPromises(
  traffic: Traffic,
  cluster: FaultCluster,
  withinMs: number,
  seen: readonly string[] = [],
): Promise<readonly string[]> {
  await traffic.acknowledges(20, withinMs);
  return violations(await traffic.end([...seen, ...(await cluster.clusterIds())]));
}
