import { beforeAll, expect, test } from 'vitest';
import { until, type Ended, type TestCluster } from './cluster.ts';
import { refusals } from './hardened-machines.ts';

/** Restores the etcd of a running cluster from a backup. */
export function describeEtcdRestore(clusterOf: () => TestCluster): void {
  let cluster: TestCluster;
  beforeAll(() => {
    cluster = clusterOf();
  });

  const well = (ended: Ended): string => {
    if (ended.exitCode !== 0) throw new Error(`${ended.exitCode}: ${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  };
  const configMaps = async () =>
    (await cluster.kubectl('get', 'configmaps', '-o', 'name')).split('\n').filter((name) => name.includes('/the-'));

  test('makes, verifies and restores a backup while the cluster runs, without manual steps', async () => {
    await cluster.kubectl('create', 'configmap', 'the-kept');
    expect(well(await cluster.kopsctl('etcd', 'backup'))).toMatch(/^done: saved /);
    expect(well(await cluster.kopsctl('etcd', 'verify'))).toMatch(/^done: verified .*: \d+ keys/);
    const listed = JSON.parse(
      well(await cluster.kopsctl('etcd', 'list-backups', '--etcd-cluster', 'main', '-o', 'json')),
    ) as { name: string; facts: { reason: string } }[];
    const backup = listed.findLast(({ facts }) => facts.reason === 'requested')?.name ?? '';
    await cluster.kubectl('create', 'configmap', 'the-lost');
    expect(await configMaps()).toHaveLength(2);

    const planned = well(await cluster.kopsctl('etcd', 'restore-backup', backup, '--dry-run'));
    expect(planned).toContain(`restore ${backup}`);
    expect(await configMaps()).toHaveLength(2);

    expect(well(await cluster.kopsctl('etcd', 'restore-backup', backup, '--yes'))).toContain(
      `done: restored ${backup}`,
    );
    const seen = await until('the API answers again', 180_000, configMaps);
    expect(seen).toEqual(['configmap/the-kept']);
    // The only API server has registered itself again; the entry from the backup is gone.
    await until('the kubernetes service has its one address', 120_000, async () => {
      const subsets = await cluster.kubectl(
        'get',
        'endpoints',
        'kubernetes',
        '-o',
        'jsonpath={.subsets[*].addresses[*].ip}',
      );
      return subsets.split(' ').length === 1 ? true : undefined;
    });
    well(await cluster.kopsctl('validate', 'cluster', '--wait', '5m'));
    expect(well(await cluster.kopsctl('etcd', 'status'))).toContain('leader');
    await cluster.kubectl('create', 'configmap', 'the-new');
    expect(await configMaps()).toEqual(['configmap/the-kept', 'configmap/the-new']);
  });

  test('refuses its agents and etcd nothing that they ask for', async () => {
    expect(await refusals(cluster)).toEqual([]);
  });
}
