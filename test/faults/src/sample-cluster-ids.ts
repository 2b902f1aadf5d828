import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCluster } from './fault-cluster.ts';

const EVERY_MS = 1_000;

/** Collects the cluster ids that members report, of all machines and as long as it runs: a second cluster may be gone in the end. */
export function sampleClusterIds(cluster: FaultCluster): { stop(): Promise<readonly string[]> } {
  const ids = new Set<string>();
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      for (const id of await cluster.clusterIds()) ids.add(id);
      await sleep(EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      ended.abort();
      await running;
      return [...ids];
    },
  };
}
