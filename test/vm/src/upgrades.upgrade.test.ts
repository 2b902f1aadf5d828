import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cannotRunMachines, testCluster, type TestCluster } from './cluster.ts';
import { startClients } from './request-history.ts';
import { startWebWorkload } from './web-workload.ts';
import { startWriter } from './write-history.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

interface Shape {
  readonly name: string;
  readonly kubernetes: string;
  readonly controlPlanes: number;
  readonly workers: number;
  readonly etcd?: string;
}

async function made({ name, kubernetes, controlPlanes, workers, etcd }: Shape): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const group = (group: string, role: string, size: number) => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: group, labels: { 'kops.k8s.io/cluster': name } },
    spec: { role, minSize: size, maxSize: size },
  });
  const etcdClusters = ['main', 'events'].map((one) => ({ name: one, version: etcd }));
  const spec = {
    cloudProvider: 'local',
    kubernetesVersion: kubernetes,
    ...(etcd !== undefined && { etcdClusters }),
  };
  const objects = [
    { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', metadata: { name }, spec },
    group('control-plane', 'Master', controlPlanes),
    group('nodes', 'Node', workers),
  ];
  const file = join(folder, 'cluster.yaml');
  // JSON is YAML; the name of the cluster is looked for as YAML has it.
  await writeFile(file, `# name: ${name}\n${objects.map((object) => JSON.stringify(object)).join('\n---\n')}\n`);
  const cluster = await testCluster(file);
  onTestFinished(() => cluster.destroy());
  const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
  process.stderr.write(applied.stderr);
  expect(applied.exitCode).toBe(0);
  return cluster;
}

const kubelets = async (cluster: TestCluster): Promise<readonly string[]> => {
  const path = 'jsonpath={.items[*].status.nodeInfo.kubeletVersion}';
  const versions = (await cluster.kubectl('get', 'nodes', '-o', path)).split(' ');
  return [...new Set(versions)];
};

/** The key pairs that a cluster's machines trust, as `keyset id`. */
const trustedPairs = async (cluster: TestCluster): Promise<readonly string[]> => {
  const { stdout } = await cluster.kopsctl('get', 'keypairs', '-o', 'json');
  const pairs = JSON.parse(stdout) as readonly { readonly keyset: string; readonly id: string }[];
  return pairs.map(({ keyset, id }) => `${keyset} ${id}`).sort();
};

/** Lets the hour pass in which tokens of the old key are good, and ends what holds such tokens. */
const passTokenLifetime = async (cluster: TestCluster): Promise<void> => {
  const journal = join(dirname(cluster.kubeconfig), 'state', cluster.name, 'keypair-rotation.json');
  const rotation = JSON.parse(await readFile(journal, 'utf8')) as { readonly sinceMs: number };
  await writeFile(journal, JSON.stringify({ ...rotation, sinceMs: rotation.sinceMs - 61 * 60_000 }));
  for (const { name, role } of await cluster.machines()) {
    if (role !== 'ControlPlane') continue;
    const end = 'for p in /proc/[0-9]*; do if [ "$(cat $p/comm)" = kube-controller ]; then kill ${p#/proc/}; fi; done';
    await cluster.on(name, 'sh', '-c', end);
  }
  for (const namespace of ['kube-system', 'local-path-storage']) {
    await cluster.kubectl('--namespace', namespace, 'rollout', 'restart', 'deployment');
    const names = await cluster.kubectl('--namespace', namespace, 'get', 'deployment', '-o', 'name');
    for (const name of names.split('\n').filter((line) => line !== '')) {
      await cluster.kubectl('--namespace', namespace, 'rollout', 'status', name, '--timeout=180s');
    }
  }
};

describe.skipIf(reason !== undefined)('a rotation of all key pairs', () => {
  test('of three control planes is gone on with after a kill, and nobody notices', async () => {
    const shape = { name: 'keys.local.test', kubernetes: RECOMMENDED_KUBERNETES, controlPlanes: 3, workers: 2 };
    const cluster = await made(shape);
    await cluster.kubectl('create', 'configmap', 'numbers', '--from-literal=number=0');
    const former = await trustedPairs(cluster);
    const oldKubeconfig = `${cluster.kubeconfig}.old`;
    await copyFile(cluster.kubeconfig, oldKubeconfig);
    const url = await startWebWorkload(cluster);
    const [clients, writer] = [startClients(cluster, url), startWriter(cluster, 'numbers')];
    const rotate = ['keypair', 'rotate', '--yes'] as const;
    const renewAccess = async () =>
      expect(await cluster.kopsctl('export', 'kubeconfig', '--admin')).toMatchObject({ exitCode: 0 });

    await cluster.killKopsctl((line) => line.includes(`Rotation of ${cluster.name}: promote`), ...rotate);
    await renewAccess();
    const waits = await cluster.kopsctl(...rotate);
    process.stderr.write(waits.stderr);
    expect(waits).toMatchObject({ exitCode: 2 });
    expect(waits.stdout).toContain('stands at refresh-tokens');
    await renewAccess();
    await passTokenLifetime(cluster);
    const ended = await cluster.kopsctl(...rotate);
    process.stderr.write(ended.stderr);
    const [requests, writes] = [await clients.end(), await writer.end()];
    process.stderr.write(`${JSON.stringify({ requests, writes })}\n`);
    expect(ended).toMatchObject({ exitCode: 0 });

    const now = await trustedPairs(cluster);
    const keysets = (pairs: readonly string[]) => pairs.map((pair) => pair.split(' ')[0]);
    expect(keysets(now)).toEqual(keysets(former));
    expect(now.filter((pair) => former.includes(pair))).toEqual([]);
    await renewAccess();
    expect((await cluster.kopsctl('validate', 'cluster', '--wait', '2m')).exitCode).toBe(0);
    await expect(cluster.kubectl('--kubeconfig', oldKubeconfig, 'get', 'nodes')).rejects.toThrow(
      /certificate|Unauthorized/,
    );
    expect(requests.failed).toEqual([]);
    expect(requests.answered).toBeGreaterThan(1_000);
    expect(writes.failed).toEqual([]);
    const kept = await cluster.kubectl('get', 'configmap', 'numbers', '-o', 'jsonpath={.data.number}');
    expect(Number(kept)).toBe(writes.acknowledged);
  }, 3_600_000);
});

describe.skipIf(reason !== undefined)('an upgrade', () => {
  test('of one control plane and one worker goes from 1.35 to 1.36', async () => {
    const cluster = await made({ name: 'up.local.test', kubernetes: '1.35.4', controlPlanes: 1, workers: 1 });
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
    const cluster = await made(shape);
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
