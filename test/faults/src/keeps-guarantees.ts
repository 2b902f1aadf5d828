import { afterEach, describe, expect, test } from 'vitest';
import type { TestEtcds } from '@kopsctl/test-peers/etcd.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { brokenPromises } from './broken-promises.ts';
import { FaultCluster, type FaultClusterOptions } from './fault-cluster.ts';
import { Traffic } from './traffic.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

export interface Fault {
  readonly title: string;
  readonly options?: Partial<FaultClusterOptions>;
  /** Why it cannot be tested on this machine. */
  readonly whyNot?: string | undefined;
  /** Does the harm under load, and undoes it. */
  readonly harm: (cluster: FaultCluster, traffic: Traffic) => Promise<void>;
}

/** Does each fault to a cluster of its own under load, and searches the clients' history for violations. */
export function keepsGuarantees(etcds: TestEtcds | undefined, faults: readonly Fault[]): void {
  let cluster: FaultCluster | undefined;
  afterEach(async () => {
    await cluster?.remove();
    cluster = undefined;
  });

  describe.each(rounds())('etcd keeps its guarantees%s while', () => {
    test.skipIf(etcds === undefined).for(faults)(
      '$title',
      { timeout: 400_000 },
      async ({ options, whyNot, harm }, context) => {
        if (whyNot !== undefined) return context.skip(whyNot);
        if (etcds === undefined) throw new Error('a test without etcd is skipped');
        cluster = await FaultCluster.start({ machines: 3, etcds: [etcds['3.4']], ...options });
        await cluster.isWhole(SOON_MS);
        const traffic = await Traffic.flowing(cluster.endpoints, SOON_MS);
        await harm(cluster, traffic);
        await cluster.isWhole(LONG_MS);
        expect(await brokenPromises(traffic, cluster, SOON_MS)).toEqual([]);
      },
    );
  });
}

/** The text in the title of each round. */
function rounds(): readonly string[] {
  const count = often(1, 10);
  return Array.from({ length: count }, (_, index) => (count === 1 ? '' : `, round ${index + 1},`));
}
