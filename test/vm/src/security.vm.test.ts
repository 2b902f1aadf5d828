import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, type TestCluster } from './cluster.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const INSTANCE = 'http://169.254.169.254/v1/instance';

const pod = (name: string, node: string, hostNetwork: boolean): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  nodeName: ${node}
  hostNetwork: ${hostNetwork}
  terminationGracePeriodSeconds: 0
  containers: [{name: shell, image: 'busybox:1.37.0', command: [sleep, '3600']}]
`;

describe.skipIf(reason !== undefined)('a cluster under attack', () => {
  let cluster: TestCluster;
  let nodes: Awaited<ReturnType<TestCluster['machines']>>;

  beforeAll(async () => {
    cluster = await testCluster(join(import.meta.dirname, 'security.yaml'));
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    if (applied.exitCode !== 0) throw new Error(applied.stderr);
    nodes = await cluster.machines();
    const file = join(dirname(cluster.kubeconfig), 'pods.yaml');
    const pods = nodes.flatMap(({ name, nodeName }) => [
      pod(`inside-${name}`, nodeName, false),
      pod(`host-${name}`, nodeName, true),
    ]);
    await writeFile(file, pods.join('---'));
    await cluster.kubectl('apply', '-f', file);
    const names = nodes.flatMap(({ name }) => [`pod/inside-${name}`, `pod/host-${name}`]);
    await cluster.kubectl('wait', '--for=condition=Ready', ...names, '--timeout=120s');
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  const asks = (name: string): Promise<string> =>
    cluster.kubectl('exec', name, '--', 'wget', '-q', '-T', '3', '-O', '-', INSTANCE);

  test('its pods get no answer from the metadata service, on workers and control planes', async () => {
    expect(nodes).toHaveLength(2);
    for (const { name } of nodes) {
      // The service answers the machine: it runs.
      expect(await asks(`host-${name}`)).toContain(`"instanceId":"${name}"`);
      await expect(asks(`inside-${name}`)).rejects.toThrow('timed out');
    }
  });

  test('the user of the authority has the broker alone, and not the rights of its machine', async () => {
    const name = nodes.find(({ role }) => role === 'ControlPlane')?.name ?? '';
    const ran = async (...command: readonly string[]): Promise<string> => (await cluster.on(name, ...command)).stdout;
    const asAuthority = ['runuser', '-u', 'kops-node-authority', '--'];
    const connects = ['timeout', '3', 'bash', '-c', 'exec 3<>/dev/tcp/169.254.169.254/80'];
    expect((await cluster.on(name, ...connects)).exitCode).toBe(0);
    expect((await cluster.on(name, ...asAuthority, ...connects)).exitCode).not.toBe(0);

    const folder = '/run/kops-authority';
    expect((await ran('stat', '-c', '%U:%G %a', folder, `${folder}/broker.sock`)).trim().split('\n')).toEqual([
      'root:kops-node-authority 750',
      'root:kops-node-authority 660',
    ]);
    expect((await cluster.on(name, ...asAuthority, 'ls', folder)).exitCode).toBe(0);
    expect((await cluster.on(name, ...asAuthority, 'touch', `${folder}/other`)).exitCode).not.toBe(0);
    expect((await cluster.on(name, 'runuser', '-u', 'nobody', '--', 'ls', folder)).exitCode).not.toBe(0);
  });

  test('either of two bars keeps its pods out, and nothing else does', async () => {
    const [{ name } = { name: '' }] = nodes;
    const rule = ['from', '169.254.169.254', 'lookup', '100'];
    const inNetwork = async (...command: readonly string[]): Promise<unknown> =>
      execa('nsenter', [`--net=${await cluster.networkNamespace()}`, ...command]);
    const guard = async (command: 'restart' | 'flush'): Promise<void> => {
      const argv =
        command === 'flush'
          ? ['iptables', '-w', '-t', 'raw', '-F', 'PREROUTING']
          : ['systemctl', 'restart', 'metadata-guard.service'];
      expect((await cluster.on(name, ...argv)).exitCode).toBe(0);
    };
    await guard('flush');
    await expect(asks(`inside-${name}`)).rejects.toThrow('timed out');
    await inNetwork('ip', 'rule', 'del', ...rule);
    expect(await asks(`inside-${name}`)).toContain(`"instanceId":"${name}"`);
    await guard('restart');
    await expect(asks(`inside-${name}`)).rejects.toThrow('timed out');
    await inNetwork('ip', 'rule', 'add', ...rule);
  });
});
