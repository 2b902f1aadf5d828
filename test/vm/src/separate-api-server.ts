import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { until, type Ended, type TestCluster } from './cluster.ts';
import { refusals } from './hardened-machines.ts';

/** Harms a cluster that has an API server on a separate machine, which finds etcd only through the cloud. */
export function describeSeparateApiServer(clusterOf: () => TestCluster): void {
  let cluster: TestCluster;
  beforeAll(() => {
    cluster = clusterOf();
  });

  const machineOf = async (wanted: string) => {
    const found = (await cluster.machines()).find(({ role }) => role === wanted);
    if (found === undefined) throw new Error(`no machine has the role ${wanted}`);
    return found;
  };
  /** The addresses at which the cluster's machines and pods reach the API. */
  const endpoints = async () =>
    (await cluster.kubectl('get', 'endpoints', 'kubernetes', '-o', 'jsonpath={.subsets[*].addresses[*].ip}')).split(
      ' ',
    );
  const bothAreEndpoints = async (): Promise<true> => {
    const all = [await machineOf('ControlPlane'), await machineOf('APIServer')]
      .map(({ address }) => address)
      .toSorted();
    return until<true>('both are endpoints, and nothing else is', 120_000, async () =>
      (await endpoints()).toSorted().join() === all.join() ? true : undefined,
    );
  };

  /** Reads a ConfigMap from the API server at an address. The machines' network is reachable only from inside. */
  const askedOf = async (address: string) => {
    const get = ['get', 'configmap', 'the-kept', '-o', 'name'];
    const kubectl = [cluster.prepared.kubectl, '--kubeconfig', cluster.kubeconfig, '--server', `https://${address}`];
    const { stdout } = await execa('nsenter', [`--net=${await cluster.networkNamespace()}`, ...kubectl, ...get]);
    return stdout;
  };

  const well = (ended: Ended): string => {
    if (ended.exitCode !== 0) throw new Error(`${ended.exitCode}: ${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  };
  const configMaps = async () =>
    (await cluster.kubectl('get', 'configmaps', '-o', 'name')).split('\n').filter((name) => name.includes('/the-'));

  test('serves the cluster', async () => {
    expect(await bothAreEndpoints()).toBe(true);
  });

  test('a backup is made, verified and restored while the cluster runs; the API server is stopped, and then serves what was restored', async () => {
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
    const { name, address } = await machineOf('APIServer');
    const { stdout } = await cluster.on(name, 'journalctl', '-u', 'protokube', '-o', 'cat');
    expect(stdout).toMatch(
      /report that this API server is about to end[^]*hold summary="stop the API server[^]*report that this API server has ended[^]*release summary="let the API server start again/,
    );
    expect(await until('the API answers again', 180_000, configMaps)).toEqual(['configmap/the-kept']);
    expect(await until('it serves what was restored', 120_000, () => askedOf(address))).toBe('configmap/the-kept');
    // Both have registered themselves again; the entries from the backup are gone.
    await bothAreEndpoints();
    well(await cluster.kopsctl('validate', 'cluster', '--wait', '5m'));
    expect(well(await cluster.kopsctl('etcd', 'status'))).toContain('leader');
    await cluster.kubectl('create', 'configmap', 'the-new');
    expect(await configMaps()).toEqual(['configmap/the-kept', 'configmap/the-new']);
  });

  test('refuses its agents and etcd nothing that they ask for', async () => {
    expect(await refusals(cluster)).toEqual([]);
  });

  test('finds etcd again after the control plane has come back with another address', async () => {
    const [before, apiServer] = [await machineOf('ControlPlane'), await machineOf('APIServer')];
    expect(await cluster.kopsctl('toolbox', 'terminate', before.name)).toMatchObject({ exitCode: 0 });
    const repaired = await cluster.kopsctl('apply', '--yes');
    process.stderr.write(repaired.stderr);
    expect(repaired.exitCode).toBe(0);
    const now = await machineOf('ControlPlane');
    expect(now.address).not.toBe(before.address);
    const kept = await until('it answers from the etcd that moved', 120_000, () => askedOf(apiServer.address));
    expect(kept).toBe('configmap/the-kept');
  });

  test('lets workers receive new Services after every API server has come back with another address', async () => {
    const before = await machineOf('APIServer');
    expect(await cluster.kopsctl('toolbox', 'terminate', before.name)).toMatchObject({ exitCode: 0 });
    const repaired = await cluster.kopsctl('apply', '--yes');
    process.stderr.write(repaired.stderr);
    expect(repaired.exitCode).toBe(0);
    expect((await machineOf('APIServer')).address).not.toBe(before.address);
    await cluster.kubectl('create', 'service', 'clusterip', 'made-now', '--tcp=80');
    const { name } = await machineOf('Node');
    await until('kube-proxy knows it', 60_000, async () => {
      const { stdout } = await cluster.on(name, 'iptables-save');
      return stdout.includes('default/made-now') ? true : undefined;
    });
  });
}
