import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CA_FILE } from '@kopsctl/spec/node-paths.ts';
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
  let nodes: readonly { readonly name: string; readonly nodeName: string }[];

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

  test('a kubelet sets no label that routes, names and places of pods are made of', async () => {
    const worker = (await cluster.machines()).find(({ role }) => role === 'Node');
    if (worker === undefined) throw new Error('the cluster has no worker');
    const patch = async (body: object): Promise<string> => {
      const client = '/var/lib/kubelet/pki/kubelet-client';
      const sent = ['-X', 'PATCH', '-H', 'content-type: application/merge-patch+json', '-d', JSON.stringify(body)];
      const as = [
        '--cert',
        `${client}.crt`,
        '--key',
        `${client}.key`,
        '--cacert',
        CA_FILE,
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
      ];
      const url = `https://api.internal.${cluster.name}/api/v1/nodes/${worker.nodeName}`;
      const { stdout } = await cluster.on(worker.name, 'curl', ...as, ...sent, url);
      return stdout.trim();
    };
    expect(await patch({ metadata: { annotations: { 'example.com/own': 'true' } } })).toBe('200');
    for (const label of [
      'kopsctl.node-restriction.kubernetes.io/address',
      'kopsctl.node-restriction.kubernetes.io/pod-network',
      'dns.alpha.kubernetes.io/external',
      'kops.k8s.io/instancegroup',
      'node-role.kubernetes.io/control-plane',
    ]) {
      expect([label, await patch({ metadata: { labels: { [label]: 'forged' } } })]).toEqual([label, '403']);
    }
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
