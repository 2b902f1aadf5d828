import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { describe, expect, test } from 'vitest';
import { cannotRunMachines, type TestCluster } from './cluster.ts';
import { startClients } from './request-history.ts';
import { shapedCluster } from './shaped-cluster.ts';
import { startWebWorkload } from './web-workload.ts';
import { startWriter } from './write-history.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const kubelets = async (cluster: TestCluster): Promise<readonly string[]> => {
  const path = 'jsonpath={.items[*].status.nodeInfo.kubeletVersion}';
  const versions = (await cluster.kubectl('get', 'nodes', '-o', path)).split(' ');
  return [...new Set(versions)];
};

describe.skipIf(reason !== undefined)('an upgrade', () => {
  test('of one control plane and one worker goes from 1.35 to 1.36', async () => {
    const cluster = await shapedCluster({ name: 'up.local.test', kubernetes: '1.35.4', controlPlanes: 1, workers: 1 });
    await cluster.kubectl('create', 'configmap', 'written-before', '--from-literal=kept=yes');
    const shown = await cluster.kopsctl('upgrade', 'cluster');
    expect(shown.stdout).toMatch(/Cluster +KubernetesVersion +1\.35\.4 +1\.36/);
    const upgraded = await cluster.kopsctl('upgrade', 'cluster', '--yes');
    process.stderr.write(upgraded.stderr);
    expect(upgraded.exitCode).toBe(0);
    expect(await kubelets(cluster)).toEqual([`v${RECOMMENDED_KUBERNETES}`]);
    expect(await cluster.kubectl('get', 'configmap', 'written-before', '-o', 'jsonpath={.data.kept}')).toBe('yes');
    expect((await cluster.kopsctl('validate', 'cluster', '--wait', '2m')).exitCode).toBe(0);
  }, 1_800_000);

  test('of three control planes goes from 1.34 to 1.36 with another etcd on the way, killed once, and nobody notices', async () => {
    const shape = { name: 'ladder.local.test', kubernetes: '1.34.4', controlPlanes: 3, workers: 2, etcd: '3.5.35' };
    const cluster = await shapedCluster(shape);
    await cluster.kubectl('create', 'configmap', 'numbers', '--from-literal=number=0');
    const url = await startWebWorkload(cluster);
    const [clients, writer] = [startClients(cluster, url), startWriter(cluster, 'numbers')];
    await cluster.killKopsctl((line) => /1\.35\.\d+: roll control planes/.test(line), 'upgrade', 'cluster', '--yes');
    const upgraded = await cluster.kopsctl('upgrade', 'cluster', '--yes');
    const [requests, writes] = [await clients.end(), await writer.end()];
    process.stderr.write(`${upgraded.stderr}${JSON.stringify({ requests, writes })}\n`);
    expect(upgraded.exitCode).toBe(0);
    expect(await kubelets(cluster)).toEqual([`v${RECOMMENDED_KUBERNETES}`]);
    const status = await cluster.kopsctl('etcd', 'status', '-o', 'json');
    const versions = new Set(
      [...status.stdout.matchAll(/"version": "(\d+\.\d+)\.\d+"/g)].map(([, version]) => version),
    );
    expect([...versions]).toEqual(['3.6']);
    expect(requests.failed).toEqual([]);
    expect(requests.answered).toBeGreaterThan(1_000);
    expect(writes.failed).toEqual([]);
    const path = 'jsonpath={.data.number}';
    expect(Number(await cluster.kubectl('get', 'configmap', 'numbers', '-o', path))).toBe(writes.acknowledged);
  }, 3_600_000);
});
