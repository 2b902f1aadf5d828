import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';
import { openPorts, refusals } from './hardened-machines.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

describe.skipIf(reason !== undefined)('a cluster with Docker as its runtime', () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await testCluster('docker.yaml');
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  test('has two Ready nodes that report Docker as their runtime', async () => {
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    expect(applied.exitCode).toBe(0);
    const runtimes = await cluster.kubectl(
      'get',
      'nodes',
      '-o',
      'jsonpath={range .items[*]}{.status.nodeInfo.containerRuntimeVersion}{"\\n"}{end}',
    );
    expect(runtimes.split('\n').filter((line) => line.startsWith('docker://'))).toHaveLength(2);
  });

  test('runs a pod on the worker', async () => {
    await cluster.kubectl('run', 'hello', '--image=busybox:1.37.0', '--command', '--', '/bin/sleep', '3600');
    const phase = await until('the pod runs', 60_000, async () => {
      const now = await cluster.kubectl('get', 'pod', 'hello', '-o', 'jsonpath={.status.phase}');
      return now === 'Running' ? now : undefined;
    });
    expect(phase).toBe('Running');
  });

  test('has nothing to change when nodeup runs again', async () => {
    for (const { name } of await cluster.machines()) {
      const again = await cluster.on(name, '/opt/kops/bin/nodeup', '--dry-run', '--exit-code');
      expect(again.stdout).toMatch(/no changes/i);
    }
  });

  test('serves nothing of Kubernetes without credentials', async () => {
    expect(await openPorts(cluster)).toEqual([]);
  });

  test('refuses its agents and etcd nothing that they ask for', async () => {
    expect(await refusals(cluster)).toEqual([]);
  });
});
