import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { testCluster, type TestCluster } from './cluster.ts';

/** What a cluster of one test consists of. */
export interface Shape {
  readonly name: string;
  readonly kubernetes: string;
  readonly controlPlanes: number;
  readonly workers: number;
  readonly etcd?: string;
}

/** Makes a cluster for the test that runs, and deletes it when that ends. */
export async function shapedCluster({ name, kubernetes, controlPlanes, workers, etcd }: Shape): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-shaped-'));
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
