import { afterEach, describe, expect, test } from 'vitest';
import { isAtLeast } from '@kopsctl/etcd-manager/versions/at-least.ts';
import type { TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { brokenPromises } from './broken-promises.ts';
import { FaultCluster, type FaultClusterOptions } from './fault-cluster.ts';
import { sampleClusterIds } from './sample-cluster-ids.ts';
import { Traffic } from './traffic.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

export interface Fault {
  readonly title: string;
  /** The members may be on other machines at the end, whichever those are. */
  readonly mayMove?: boolean;
  readonly options?: Partial<FaultClusterOptions>;
  /** The first version that gets over it; by default all do. */
  readonly since?: string;
  /** `options.env`, where it depends on the version of etcd. */
  readonly env?: (version: string) => Readonly<Record<string, string>>;
  /** Why it cannot be tested on this machine. */
  readonly whyNot?: string | undefined;
  /** Does the harm under load, and undoes it. */
  readonly harm: (cluster: FaultCluster, traffic: Traffic) => Promise<void>;
}

/**
 * Does each fault to a cluster of its own under load, and searches the clients' history for violations. Each fault meets one
 * version of etcd from 3.4 on, and the next one in the next round, so that four rounds are all of them.
 */
export function keepsGuarantees(ladder: readonly TestEtcd[] | undefined, faults: readonly Fault[]): void {
  // 3.3 has no learners; its members are tested as they grow and are upgraded.
  const versions = (ladder ?? []).slice(1);
  let cluster: FaultCluster | undefined;
  afterEach(async () => {
    await cluster?.remove();
    cluster = undefined;
  });

  describe.each(rounds())('$title', ({ round }) => {
    const cases = faults.map((fault, index) => {
      const able = versions.filter((one) => isAtLeast(one.version, fault.since ?? '3.4.0'));
      const etcd = able[(index + round) % able.length];
      const { version } = fault.options?.etcds?.[0] ?? etcd ?? { version: 'none' };
      return { ...fault, etcd, shown: `etcd ${version}: ${fault.title}` };
    });
    test.skipIf(versions.length === 0).for(cases)(
      '$shown',
      { timeout: 400_000 },
      async ({ options, env, whyNot, harm, etcd, mayMove = false }, context) => {
        if (whyNot !== undefined) return context.skip(whyNot);
        if (etcd === undefined) throw new Error('a test without etcd is skipped');
        cluster = await FaultCluster.start({
          machines: 3,
          etcds: [etcd],
          ...(env && { env: env(etcd.version) }),
          ...options,
        });
        await cluster.isWhole(SOON_MS);
        const sampled = sampleClusterIds(cluster);
        try {
          const traffic = await Traffic.flowing(cluster.endpoints, SOON_MS);
          await harm(cluster, traffic);
          await (mayMove ? cluster.settles(LONG_MS) : cluster.isWhole(LONG_MS));
          expect(await brokenPromises(traffic, cluster, SOON_MS, await sampled.stop())).toEqual([]);
        } finally {
          await sampled.stop();
        }
      },
    );
  });
}

function rounds(): readonly { readonly round: number; readonly title: string }[] {
  const count = often(1, 4);
  return Array.from({ length: count }, (_, round) => ({
    round,
    title: `etcd keeps its guarantees${count === 1 ? '' : `, round ${round + 1},`} while`,
  }));
}
