import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const API = 'api.internal.gossip.k8s.local';

describe.skipIf(reason !== undefined)('a cluster whose machines gossip', () => {
  let cluster: TestCluster;
  let worker = '';

  beforeAll(async () => {
    cluster = await testCluster('gossip.yaml');
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    if (applied.exitCode !== 0) throw new Error('the cluster was not made');
    worker = (await cluster.machines()).find(({ role }) => role === 'Node')?.name ?? '';
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  const hosts = async () => (await cluster.on(worker, 'cat', '/etc/hosts')).stdout;

  test('a worker knows the API by what the control plane says of itself', async () => {
    expect(await hosts()).toMatch(new RegExp(String.raw`^\d+\.\d+\.\d+\.\d+\t.*${API}`, 'm'));
    // It listens on kops's port of gossip, 3998.
    expect((await cluster.on(worker, 'cat', '/proc/net/udp')).stdout).toContain(':0F9E ');
  });

  test('the keys are for the agent alone', async () => {
    const { stdout } = await cluster.on(worker, 'stat', '-c', '%a %U', '/etc/kops/gossip-keys');
    expect(stdout.trim()).toBe('600 root');
  });

  test('killed with SIGKILL, the agent is back with the same names', async () => {
    await cluster.on(worker, 'systemctl', 'kill', '-s', 'KILL', 'protokube.service');
    await cluster.on(worker, 'sed', '-i', `/${API}/d`, '/etc/hosts');
    await until('the name is back', 30_000, async () => ((await hosts()).includes(API) ? true : undefined));
    expect(await cluster.kubectl('get', 'nodes', '--no-headers')).not.toContain('NotReady');
  });
});
