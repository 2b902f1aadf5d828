import { afterEach, describe, expect, test } from 'vitest';
import { isAtLeast } from '@kopsctl/etcd-manager/versions/at-least.ts';
import { casesOf, isLong } from '@kopsctl/test-suite/long.ts';
import { brokenPromises } from './broken-promises.ts';
import { openRoamingClient } from './clients.ts';
import { comparesOften } from './compares-often.ts';
import { FaultCluster } from './fault-cluster.ts';
import { findClusterLadder } from './requirements.ts';
import { Traffic } from './traffic.ts';
import { LEASE_MS, LONG_MS, SOON_MS } from './waits.ts';

const ladder = await findClusterLadder();
/** The newest, which names the members that differ; in the long run also those that name none, from the oldest with learners on. */
const versions = (ladder ?? []).filter((_, index, all) => index === all.length - 1 || (isLong && index > 0));
const members = casesOf(
  [{ which: 'of three members', startsAgain: false }],
  // An etcd that starts after the others compares its data with theirs, and does not start with other data.
  [{ which: 'of three members, one of which starts again', startsAgain: true }],
);
const cases = versions.flatMap((etcd) => members.map((one) => ({ ...one, etcd, version: etcd.version })));

const MARK = 'the-text-that-all-members-hold';

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

describe.skipIf(versions.length === 0)('the alarm CORRUPT', { timeout: 600_000 }, () => {
  test.each(cases)(
    'CORRUPT without a majority $which: no member is removed, and a restore ends it (etcd $version)',
    async ({ etcd, startsAgain }) => {
      cluster = await FaultCluster.start({ machines: 3, etcds: [etcd], env: comparesOften(etcd.version) });
      await cluster.isWhole(SOON_MS);
      const client = await openRoamingClient(cluster.endpoints);
      await client.put('mark').value(MARK);
      const backup = await cluster.backup();
      // An API server elsewhere that has stopped: its lease expires only once there are writes again.
      const lease = client.lease(15, { autoKeepAlive: false });
      await lease.put('/registry/masterleases/10.0.0.9').value('x');
      const voters = await cluster.voters();
      await cluster.hasCommitted(cluster.machines);
      await cluster.alterDatabases(MARK, (machine) => MARK.replace('all', `a-${machine}`));
      if (startsAgain) await cluster.signalEtcd(0, 'SIGKILL');
      await cluster.says('and no majority agrees', LEASE_MS);
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
      const restored = await cluster.command({ action: 'restore-backup', backup, clusterSpec }, LONG_MS);
      expect(restored).toMatchObject({ result: 'done' });
      await cluster.isWhole(LONG_MS);
      expect(await client.get('mark').string()).toBe(MARK);
      client.close();
      expect(await brokenPromises(await Traffic.flowing(cluster.endpoints, SOON_MS), cluster, SOON_MS)).toEqual([]);
    },
  );
});
