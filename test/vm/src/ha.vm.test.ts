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

  test('has four Ready nodes', async () => {
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    expect(applied.exitCode).toBe(0);
  });

  test('creates a destroyed control-plane machine again, which rejoins with its old volume', async () => {
    const victim = (await cluster.machines()).find(({ role }) => role === 'ControlPlane')?.name ?? '';
    await cluster.kubectl('create', 'configmap', 'written-before', '--from-literal=kept=yes');
    expect((await cluster.kopsctl('toolbox', 'terminate', victim)).exitCode).toBe(0);
    const repaired = await cluster.kopsctl('apply', '--yes');
    expect(repaired.stderr).toContain(victim);
    expect(repaired.exitCode).toBe(0);
    expect(await cluster.kopsctl('validate', 'cluster', '--wait', '2m')).toMatchObject({ exitCode: 0 });
    for (const etcd of ['etcd-main', 'etcd-events']) {
      expect((await cluster.on(victim, 'systemctl', 'is-active', etcd)).stdout).toBe('active');
    }
    expect(await cluster.kubectl('get', 'configmap', 'written-before', '-o', 'jsonpath={.data.kept}')).toBe('yes');
  });

  test('replaces a member that was lost with its volumes as soon as a new machine runs', async () => {
    const victim = (await cluster.machines()).find(({ role }) => role === 'ControlPlane')?.name ?? '';
    await cluster.loseMachine(victim);
    const repaired = await cluster.kopsctl('apply', '--yes');
    process.stderr.write(repaired.stderr);
    expect(repaired.exitCode).toBe(0);
    const survivor = (await cluster.machines()).find(({ name, role }) => role === 'ControlPlane' && name !== victim);
    for (const etcd of ['main', 'events']) {
      await until(`three members of ${etcd} vote`, 180_000, async () => {
        const { exitCode, stdout, stderr } = await cluster.on(survivor?.name ?? '', 'sh', '-c', memberList(etcd));
        if (exitCode !== 0) throw new Error(stderr);
        const votes = stdout.split('\n').filter((line) => line.includes(' started, ') && line.endsWith(' false'));
        return votes.length === 3 ? true : undefined;
      });
    }
    expect(await cluster.kubectl('get', 'configmap', 'written-before', '-o', 'jsonpath={.data.kept}')).toBe('yes');
  });
});

function memberList(etcd: string): string {
  const port = etcd === 'main' ? 4001 : 4002;
  const files = `--cacert $pki/ca.crt --cert $pki/server.crt --key $pki/server.key`;
  // A machine has every version that an upgrade or a restore may need.
  const newest = '$(ls -d /opt/etcd-v* | sort -V | tail -n 1)';
  return `pki=/mnt/etcd-${etcd}/pki/clients; ETCDCTL_API=3 ${newest}/etcdctl --endpoints https://127.0.0.1:${port} ${files} member list`;
}
