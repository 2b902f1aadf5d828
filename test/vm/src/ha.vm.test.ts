import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

describe.skipIf(reason !== undefined)('a cluster of three control planes', () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await testCluster('ha.yaml');
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  test('all four nodes become Ready', async () => {
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    expect(applied.exitCode).toBe(0);
  });

  test('a destroyed control-plane machine is made again and rejoins with its old volume', async () => {
    const victim = (await cluster.machines()).find(({ role }) => role === 'ControlPlane')?.name ?? '';
    await cluster.kubectl('create', 'configmap', 'written-before', '--from-literal=kept=yes');
    expect((await cluster.kopsctl('toolbox', 'terminate', victim)).exitCode).toBe(0);
    const repaired = await cluster.kopsctl('apply', '--yes');
    expect(repaired.stderr).toContain(victim);
    expect(repaired.exitCode).toBe(0);
    await until('the cluster is valid', 120_000, async () =>
      (await cluster.kopsctl('validate', 'cluster')).exitCode === 0 ? true : undefined,
    );
    for (const etcd of ['etcd-main', 'etcd-events']) {
      expect((await cluster.on(victim, 'systemctl', 'is-active', etcd)).stdout).toBe('active');
    }
    expect(await cluster.kubectl('get', 'configmap', 'written-before', '-o', 'jsonpath={.data.kept}')).toBe('yes');
  });
});
