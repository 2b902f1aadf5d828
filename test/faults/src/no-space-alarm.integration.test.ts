import { afterEach, describe, expect, test } from 'vitest';
import { isLong } from '@kopsctl/test-suite/long.ts';
import { openRoamingClient } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
import { findClusterLadder } from './requirements.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

const ladder = await findClusterLadder();
/** The newest; in the long run every one with learners. */
const versions = (ladder ?? []).filter((_, index, all) => index === all.length - 1 || (isLong && index > 0));

/** etcd's quota is for the database; the disk has room for more. */
const QUOTA_BYTES = 16 * 1024 * 1024;
const VALUE_BYTES = 1024 * 1024;

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

describe.skipIf(versions.length === 0)('the alarm NOSPACE', { timeout: 600_000 }, () => {
  test.each(versions)(
    'NOSPACE ends once objects were deleted, without another leader (etcd $version)',
    async (etcd) => {
      const env = { ETCD_QUOTA_BACKEND_BYTES: String(QUOTA_BYTES) };
      cluster = await FaultCluster.start({ machines: 3, etcds: [etcd], env });
      await cluster.isWhole(SOON_MS);
      const client = await openRoamingClient(cluster.endpoints);
      const value = 'x'.repeat(VALUE_BYTES);
      const isWritten = (key: string, text: string): Promise<boolean> =>
        client
          .put(key)
          .value(text)
          .exec()
          .then(
            () => true,
            (error: unknown) => {
              if (/exceeded|no space/i.test(String(error))) return false;
              throw error;
            },
          );
      let keys = 0;
      // The alarm of a file that is full of unused pages is lifted, and there is room for more.
      await cluster.until('objects alone fill the database', LONG_MS, async () => {
        if (await isWritten(`fill/${keys}`, value)) keys += 1;
        return cluster?.hasSaid('the database still has') === true;
      });
      const leading = await cluster.leadingManager();
      const from = cluster.lines.length;
      await client.delete().prefix('fill/');
      // The next attempt is minutes after the first one.
      await cluster.says('lift the NOSPACE alarm: the database has shrunk', 420_000, from);
      // Each member has an alarm of its own.
      await cluster.until('a write', SOON_MS, () => isWritten('after', '1'));
      expect(await cluster.leadingManager()).toBe(leading);
      client.close();
    },
  );
});
