import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

describe.skipIf(reason !== undefined)('an API server on a separate machine', () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await testCluster(join(import.meta.dirname, 'api-server.yaml'));
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    if (applied.exitCode !== 0) throw new Error('the cluster was not created');
  });
  afterAll(async () => {
    await cluster?.destroy();
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

  /** Reads a ConfigMap from the API server at an address. The machines' network is reachable only from inside. */
  const askedOf = async (address: string) => {
    const get = ['get', 'configmap', 'written-before', '-o', 'jsonpath={.data.kept}'];
    const kubectl = [cluster.prepared.kubectl, '--kubeconfig', cluster.kubeconfig, '--server', `https://${address}`];
    const { stdout } = await execa('nsenter', [`--net=${await cluster.networkNamespace()}`, ...kubectl, ...get]);
    return stdout;
  };

  test('serves the cluster', async () => {
    const all = [await machineOf('ControlPlane'), await machineOf('APIServer')]
      .map(({ address }) => address)
      .toSorted();
    const there = await until('both are endpoints', 60_000, async () => {
      const now = (await endpoints()).toSorted();
      return now.length === all.length ? now : undefined;
    });
    expect(there).toEqual(all);
  });

  test('is stopped during an etcd restore and then serves the restored objects', async () => {
    const apiServer = await machineOf('APIServer');
    const ended = async (...args: readonly string[]) => {
      const { exitCode, stdout, stderr } = await cluster.kopsctl('etcd', ...args);
      if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
      return stdout;
    };
    await cluster.kubectl('create', 'configmap', 'written-before', '--from-literal=kept=yes');
    await ended('backup', '--etcd-cluster', 'main');
    const listed: { name: string }[] = JSON.parse(
      await ended('list-backups', '--etcd-cluster', 'main', '-o', 'json'),
    ) as { name: string }[];
    await cluster.kubectl('delete', 'configmap', 'written-before');
    const restored = await ended('restore-backup', listed.at(-1)?.name ?? '', '--etcd-cluster', 'main', '--yes');
    expect(restored).toContain('done: restored');
    const { stdout } = await cluster.on(apiServer.name, 'journalctl', '-u', 'protokube', '-o', 'cat');
    expect(stdout).toMatch(
      /report that this API server is about to end[^]*hold summary="stop the API server[^]*report that this API server has ended[^]*release summary="let the API server start again/,
    );
    expect(await until('it serves what was restored', 120_000, () => askedOf(apiServer.address))).toBe('yes');
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
    expect(kept).toBe('yes');
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
});
