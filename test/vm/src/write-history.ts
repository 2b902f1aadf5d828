import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { TestCluster } from './cluster.ts';

/** What a client that writes to the API saw. */
export interface WriteHistory {
  /** The last write that was acknowledged. */
  readonly acknowledged: number;
  /** Writes that did not succeed although they were repeated for as long as they may take. */
  readonly failed: readonly string[];
  readonly slowestMs: number;
}

export interface RunningWriter {
  end(): Promise<WriteHistory>;
}

const PAUSE_MS = 250;

/**
 * Writes numbers in ascending order into a ConfigMap, one after the other.
 *
 * @param patienceMs how long a write that fails is repeated
 */
export function startWriter(cluster: TestCluster, configMap: string, patienceMs = 3_000): RunningWriter {
  const failed: string[] = [];
  const ending = new AbortController();
  let [acknowledged, slowestMs] = [0, 0];
  const write = async (number: number): Promise<void> => {
    const startMs = Date.now();
    for (;;) {
      try {
        const patch = JSON.stringify({ data: { number: String(number) } });
        await cluster.kubectl('patch', 'configmap', configMap, '--request-timeout=2s', '--patch', patch);
        slowestMs = Math.max(slowestMs, Date.now() - startMs);
        acknowledged = number;
        return;
      } catch (error) {
        if (Date.now() - startMs < patienceMs) {
          // An API that is away for minutes is not asked as often as kubectl can be started.
          await sleep(PAUSE_MS);
          continue;
        }
        failed.push(`${number} at ${new Date(startMs).toISOString()}: ${messageOf(error)}`);
        return;
      }
    }
  };
  const writing = (async () => {
    for (let number = 1; !ending.signal.aborted; number += 1) {
      await write(number);
      await sleep(PAUSE_MS);
    }
  })();
  return {
    async end() {
      ending.abort();
      await writing;
      return { acknowledged, failed, slowestMs };
    },
  };
}
