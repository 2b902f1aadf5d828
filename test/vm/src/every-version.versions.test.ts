import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { EXAMPLES_DIR } from '../../../packaging/quickstart/src/prepare.ts';
import { testCluster, until } from './cluster.ts';

const versions = inject('versions');

/** The specification of the quickstart with a version of Kubernetes. */
async function specWith(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-version-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spec = join(folder, 'cluster.yaml');
  const text = await readFile(join(EXAMPLES_DIR, 'quickstart.yaml'), 'utf8');
  await writeFile(
    spec,
    text
      .replaceAll('quickstart.local.test', `v${version.replaceAll('.', '-')}.local.test`)
      .replace('  cloudProvider: local\n', `  cloudProvider: local\n  kubernetesVersion: ${version}\n`),
  );
  return spec;
}

describe.skipIf(versions.length === 0)('Kubernetes', () => {
  test.for(versions)('%s boots, resolves names of Services, and binds a volume', async (version) => {
    const cluster = await testCluster(await specWith(version));
    onTestFinished(() => cluster.destroy());
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    expect(applied.exitCode).toBe(0);
    const reported = await cluster.kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].status.nodeInfo.kubeletVersion}');
    expect(reported).toBe(`v${version} v${version}`);
    await cluster.kubectl('run', 'shell', '--image=busybox:1.37.0', '--command', '--', 'sleep', '3600');
    const answer = await until('a Service has a name', 120_000, () =>
      cluster.kubectl('exec', 'shell', '--', 'nslookup', 'kubernetes.default.svc.cluster.local'),
    );
    expect(answer).toContain('Address: 100.64.0.1');
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Mi' } } };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const container = { name: 'c', image: 'busybox:1.37.0', command: ['sleep', '3600'] };
    const objects = [
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: claim },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'user' }, spec: { containers: [container], volumes } },
    ];
    const file = join(cluster.spec, '../objects.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    await cluster.kubectl('apply', '-f', file);
    await cluster.kubectl('wait', '--for=condition=Ready', 'pod/user', '--timeout=120s');
    expect(await cluster.kubectl('get', 'pvc', 'data', '-o', 'jsonpath={.status.phase}')).toBe('Bound');
  });
});
