import { afterEach, describe, expect, test } from 'vitest';
import { isAtLeast } from '@kopsctl/etcd-manager/versions/at-least.ts';
import { isLong } from '@kopsctl/test-suite/long.ts';
import { brokenPromises } from './broken-promises.ts';
import { openRoamingClient } from './clients.ts';
import { comparesOften } from './compares-often.ts';
import { FaultCluster } from './fault-cluster.ts';
import { findClusterLadder } from './requirements.ts';
import { Traffic } from './traffic.ts';
import { LEASE_MS, LONG_MS, SOON_MS } from './waits.ts';

const ladder = await findClusterLadder();
/** The oldest with learners, which names no member in its alarm, and the newest, which names those that differ. */
const versions = (ladder ?? []).filter(
  (_, index, all) => index === 1 || index === all.length - 1 || (isLong && index > 0),
);

const MARK = 'the-text-that-all-members-hold';
/** etcd's quota is for the database; the disk has room for more. */
const QUOTA_BYTES = 16 * 1024 * 1024;
const VALUE_BYTES = 1024 * 1024;

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

describe.skipIf(versions.length === 0)('an alarm of etcd', { timeout: 600_000 }, () => {
  test.each(versions)(
    'CORRUPT without a majority: no member is removed, and a restore ends it (etcd $version)',
    async (etcd) => {
      cluster = await FaultCluster.start({ machines: 3, etcds: [etcd], env: comparesOften(etcd.version) });
      await cluster.isWhole(SOON_MS);
      const client = await openRoamingClient(cluster.endpoints);
      await client.put('mark').value(MARK);
      const saved = await cluster.command({ action: 'backup' }, SOON_MS);
      // An API server elsewhere that has stopped: its lease expires only once there are writes again.
      const lease = client.lease(15, { autoKeepAlive: false });
      await lease.put('/registry/masterleases/10.0.0.9').value('x');
      const voters = await cluster.voters();
      await cluster.hasCommitted(cluster.machines);
      await cluster.alterDatabases(MARK, (machine) => MARK.replace('all', `a-${machine}`));
      await cluster.says('and no majority agrees: no member is removed', LEASE_MS);
      await cluster.until('the advice in a status', LEASE_MS, async () => {
        const statuses = await cluster?.statuses();
        return statuses?.some(({ advice }) => advice?.next.includes('kopsctl etcd restore-backup') === true) === true;
      });
      // Up to 3.4 the alarm is about every member; later ones name a member that differs.
      const alarmed = isAtLeast(etcd.version, '3.5.0') ? 1 : 3;
      await cluster.until(`the alarm in the status of ${alarmed}`, SOON_MS, async () => {
        const statuses = (await cluster?.statuses()) ?? [];
        return statuses.filter(({ etcd: one }) => one?.alarms.includes('CORRUPT') === true).length >= alarmed;
      });
      expect(await cluster.voters()).toEqual(voters);
      const clusterSpec = { memberCount: 3, etcdVersion: etcd.version };
      const backup = saved.message.replace('saved ', '');
      const restored = await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
      expect(restored).toMatchObject({ result: 'done' });
      await cluster.isWhole(LONG_MS);
      expect(await client.get('mark').string()).toBe(MARK);
      client.close();
      expect(await brokenPromises(await Traffic.flowing(cluster.endpoints, SOON_MS), cluster, SOON_MS)).toEqual([]);
    },
  );

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
      // The alarm of a file that is full of pages without use is lifted, and there is room for more.
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
