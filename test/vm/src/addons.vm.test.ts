import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';
import { openPorts, refusals, rights } from './hardened-machines.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

/** A pod on each of two nodes, the first with a volume. They are killed at once: neither program ends on SIGTERM. */
const PODS = (server: string, client: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Mi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: server}
spec:
  nodeSelector: {kubernetes.io/hostname: ${server}}
  terminationGracePeriodSeconds: 0
  containers:
  - name: web
    image: busybox:1.37.0
    command: [sh, -c, 'test -f /data/index.html || echo kept > /data/index.html; httpd -f -p 8080 -h /data']
    volumeMounts: [{name: data, mountPath: /data}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---
apiVersion: v1
kind: Pod
metadata: {name: client}
spec:
  nodeSelector: {kubernetes.io/hostname: ${client}}
  terminationGracePeriodSeconds: 0
  containers: [{name: shell, image: 'busybox:1.37.0', command: [sleep, '3600']}]
`;

describe.skipIf(reason !== undefined)('a cluster with addons that its spec asks for', () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await testCluster('addons.yaml');
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  test('has every pod of its addons ready', async () => {
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    expect(applied.exitCode).toBe(0);
    const ready = ['deployment/coredns', 'deployment/metrics-server', 'deployment/snapshot-controller'];
    for (const name of ready) await cluster.kubectl('-n', 'kube-system', 'rollout', 'status', name, '--timeout=120s');
    await cluster.kubectl('-n', 'kube-flannel', 'rollout', 'status', 'daemonset/kube-flannel-ds', '--timeout=120s');
    const pods = await cluster.kubectl('get', 'pods', '-A', '--no-headers');
    expect(pods.split('\n').filter((line) => line !== '' && !/ 1\/1 +Running /.test(line))).toEqual([]);
  });

  test('measures its nodes', async () => {
    const measured = await until('kubectl top has figures of three nodes', 120_000, async () => {
      const lines = (await cluster.kubectl('top', 'nodes', '--no-headers')).trim().split('\n');
      // A node without measurements is listed too, as unknown.
      return lines.length === 3 && lines.every((line) => /\s\d+m\s.*\s\d+Mi\s/.test(line)) ? lines : undefined;
    });
    expect(measured).toHaveLength(3);
  });

  test('carries traffic between pods of two nodes, and keeps a volume longer than its pod', async () => {
    const workers = (await cluster.machines()).filter(({ role }) => role === 'Node').map(({ nodeName }) => nodeName);
    const pods = join(dirname(cluster.kubeconfig), 'pods.yaml');
    await writeFile(pods, PODS(workers[0] ?? '', workers[1] ?? ''));
    const answer = async (): Promise<string> => {
      await cluster.kubectl('apply', '-f', pods);
      await cluster.kubectl('wait', '--for=condition=Ready', 'pod/server', 'pod/client', '--timeout=120s');
      const address = await cluster.kubectl('get', 'pod', 'server', '-o', 'jsonpath={.status.podIP}');
      return cluster.kubectl('exec', 'client', '--', 'wget', '-q', '-T', '10', '-O', '-', `http://${address}:8080/`);
    };
    expect((await answer()).trim()).toBe('kept');
    await cluster.kubectl('exec', 'server', '--', 'sh', '-c', 'echo changed > /data/index.html');
    await cluster.kubectl('delete', 'pod', 'server');
    expect((await answer()).trim()).toBe('changed');
  });

  test('gets the addon of a channel when a person applies it, and has it then', async () => {
    const folder = join(dirname(cluster.kubeconfig), 'channel');
    await mkdir(folder);
    const manifest =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: greeting, namespace: default}\ndata: {say: hello}\n';
    const manifestHash = createHash('sha256').update(manifest).digest('hex');
    const addon = { name: 'greeting.example.com', id: 'k8s', manifest: 'greeting.yaml', manifestHash };
    await writeFile(join(folder, 'greeting.yaml'), manifest);
    const channel = join(folder, 'channel.yaml');
    await writeFile(channel, JSON.stringify({ kind: 'Addons', spec: { addons: [addon] } }));
    const apply = (...flags: readonly string[]) =>
      cluster.kopsctl('toolbox', 'addons', 'apply', `file://${channel}`, ...flags);
    const say = () =>
      cluster.kubectl('get', 'configmap', 'greeting', '--ignore-not-found', '-o', 'jsonpath={.data.say}');

    expect(await apply()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(addon.name) });
    expect(await say()).toBe('');
    expect(await apply('--yes')).toMatchObject({ exitCode: 0 });
    expect(await say()).toBe('hello');
    expect(await apply('--yes')).toMatchObject({ exitCode: 0, stdout: 'No update required' });

    const other = { ...addon, manifestHash: 'f00d'.repeat(16) };
    await writeFile(channel, JSON.stringify({ kind: 'Addons', spec: { addons: [other] } }));
    const refused = await apply('--yes');
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the channel says f00df00d') });
  });

  test('is reached by a kubectl that asks kopsctl for its certificates, and after an update', async () => {
    const file = join(dirname(cluster.kubeconfig), 'with-plugin');
    const exported = await cluster.kopsctl('export', 'kubeconfig', '--auth-plugin', '--kubeconfig', file);
    expect(exported).toMatchObject({ exitCode: 0 });
    expect(await readFile(file, 'utf8')).not.toContain('client-key-data');
    expect(await cluster.kubectl('--kubeconfig', file, 'get', 'nodes', '--no-headers')).toContain(' Ready ');

    await rm(cluster.kubeconfig);
    expect(await cluster.kopsctl('update', 'cluster', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await cluster.kubectl('get', 'nodes', '--no-headers')).toContain(' Ready ');
  });

  test('gives the metrics of the controller manager and the scheduler to those alone who may read them', async () => {
    const controlPlane = (await cluster.machines()).find(({ role }) => role === 'ControlPlane')?.name ?? '';
    await cluster.kubectl('create', 'clusterrole', 'metrics', '--verb=get', '--non-resource-url=/metrics');
    for (const account of ['reader', 'stranger']) await cluster.kubectl('create', 'serviceaccount', account);
    const to = ['--clusterrole=metrics', '--serviceaccount=default:reader'];
    await cluster.kubectl('create', 'clusterrolebinding', 'metrics', ...to);
    const ask = async (account: string, port: number): Promise<string> => {
      const token = (await cluster.kubectl('create', 'token', account)).trim();
      const options = ['--silent', '--insecure', '--max-time', '10', '--write-out', '\nstatus %{http_code}'];
      const url = `https://127.0.0.1:${port}/metrics`;
      return (await cluster.on(controlPlane, 'curl', ...options, '--header', `Authorization: Bearer ${token}`, url))
        .stdout;
    };
    for (const [port, metric] of [
      [10257, 'workqueue_depth'],
      [10259, 'scheduler_pending_pods'],
    ] as const) {
      // A refusal is remembered for ten seconds, and the role may not be known yet.
      const metrics = await until(`port ${port} answers`, 60_000, async () => {
        const answer = await ask('reader', port);
        return answer.endsWith('status 200') ? answer : undefined;
      });
      expect(metrics).toContain(`\n${metric}{`);
      expect(await ask('stranger', port)).toMatch(/status 403$/);
    }
  });

  test('serves nothing of Kubernetes without credentials', async () => {
    expect(await openPorts(cluster)).toEqual([]);
  });

  test('restricts its agents and etcd, and refuses them nothing that they ask for', async () => {
    const controlPlane = (await cluster.machines()).find(({ role }) => role === 'ControlPlane')?.name ?? '';
    const running = await rights(cluster, controlPlane);
    expect([...running.keys()]).toEqual(
      expect.arrayContaining(['etcd-events', 'etcd-main', 'etcd-manager', 'protokube']),
    );
    for (const [unit, status] of running)
      expect([unit, status['NoNewPrivs'], status['Seccomp']]).toEqual([unit, '1', '2']);
    for (const unit of ['etcd-main', 'etcd-events', 'etcd-manager'])
      expect([unit, running.get(unit)?.['CapBnd']]).toEqual([unit, '0000000000000000']);
    expect(await refusals(cluster)).toEqual([]);
  });
});
