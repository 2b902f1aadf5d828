import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningNameServer, startBind9 } from '../../conformance/src/dns-name-servers.ts';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const API = 'api.internal.dns.example.test';
const SERVER = '172.30.7.1';
const key = { name: 'dns.example.test', algorithm: 'hmac-sha256', secret: randomBytes(32).toString('base64') };

describe.skipIf(reason !== undefined)('a cluster with names in DNS', () => {
  let cluster: TestCluster;
  let server: RunningNameServer | undefined;
  let refused = '';

  beforeAll(async () => {
    cluster = await testCluster(join(import.meta.dirname, 'dns.yaml'));
    const created = await cluster.kopsctl('create', '-f', cluster.spec);
    if (created.exitCode !== 0) throw new Error(created.stderr);
    refused = (await cluster.kopsctl('update', 'cluster')).stdout;
    const keyFile = join(dirname(cluster.kubeconfig), 'key');
    await writeFile(keyFile, `${key.algorithm}:${key.name}:${key.secret}\n`, { mode: 0o600 });
    const stored = await cluster.kopsctl('create', 'secret', 'dns-update-key', '-f', keyFile);
    if (stored.exitCode !== 0) throw new Error(stored.stderr);
    const applying = cluster.kopsctl('apply', '--yes');
    // The name server listens in the machines' network, which exists once the first machine runs.
    server = await until('there is a network to answer in', 60_000, async () => {
      const namespace = await cluster.networkNamespace();
      if (namespace === undefined) return undefined;
      const enter = ['nsenter', `--net=${namespace}`] as const;
      if (!(await execa(enter[0], [enter[1], 'ip', '-o', '-4', 'address'])).stdout.includes(`${SERVER}/`))
        return undefined;
      return startBind9({ zones: ['example.test'], keys: [key] }, { address: SERVER, port: 53, enter });
    });
    const applied = await applying;
    process.stderr.write(applied.stderr);
    if (applied.exitCode !== 0) throw new Error('the cluster was not created');
  });
  afterAll(async () => {
    await server?.stop();
    await cluster?.destroy();
  });

  const machine = async (role: string) => {
    const found = (await cluster.machines()).find((one) => one.role === role);
    if (found === undefined) throw new Error(`no machine has the role ${role}`);
    return found;
  };
  /** The addresses of a name on the worker. */
  const lookUp = async (name: string) => {
    const { stdout } = await cluster.on((await machine('Node')).name, 'getent', 'ahostsv4', name);
    return stdout.split(/\s/)[0] ?? '';
  };

  test('is refused without the key of the name server', () => {
    expect(refused).toContain('kopsctl create secret dns-update-key');
  });

  test('lets a worker find the API through DNS and not /etc/hosts', async () => {
    const { name, address } = await machine('ControlPlane');
    expect(name).not.toBe('');
    expect(await lookUp(API)).toBe(address);
    expect(await lookUp('etcd-a.internal.dns.example.test')).toBe(address);
    const hosts = await cluster.on((await machine('Node')).name, 'cat', '/etc/hosts');
    expect(hosts.stdout).not.toContain(API);
  });

  const nameService = async (name: string) => {
    await cluster.kubectl('create', 'service', 'nodeport', 'shop', '--tcp=80');
    await cluster.kubectl('annotate', 'service', 'shop', `dns.alpha.kubernetes.io/internal=${name}`);
    const { address } = await machine('Node');
    await until('the name leads to the worker', 60_000, async () =>
      (await lookUp(name)) === address ? true : undefined,
    );
    await cluster.kubectl('delete', 'service', 'shop');
    await until('the name is gone', 30_000, async () => ((await lookUp(name)) === '' ? true : undefined));
  };

  test('publishes the name in a service’s annotation while the service has it', async () => {
    await nameService('shop.dns.example.test');
    expect(await lookUp('etcd-a.internal.dns.example.test')).toBe((await machine('ControlPlane')).address);
  });

  // With gossip, which keeps more in memory, both are the same in every run (gossip.vm.test.ts).
  test.each(casesOf([], ['SIGKILL']))('keeps its names after every agent was killed with %s', async () => {
    for (const { name } of await cluster.machines()) await cluster.killAgents(name);
    await nameService('shop.dns.example.test');
    expect(await lookUp(API)).toBe((await machine('ControlPlane')).address);
  });

  test.each(casesOf([], ['a control plane']))('keeps its names after %s was cut off and reconnected', async () => {
    const [controlPlane, { name: worker }] = [await machine('ControlPlane'), await machine('Node')];
    const reconnect = await cluster.cutOff(controlPlane.name);
    try {
      const since = `--since=@${Math.ceil(Date.now() / 1000)}`;
      await until('the worker misses it', 60_000, async () => {
        const { stdout } = await cluster.on(worker, 'journalctl', '-u', 'kubelet', since, '-o', 'cat');
        return /dial tcp|Client\.Timeout|failed to update node lease/i.test(stdout) ? true : undefined;
      });
    } finally {
      await reconnect();
    }
    await until('the API answers', 60_000, () => cluster.kubectl('get', '--raw', '/readyz'));
    await nameService('shop.dns.example.test');
    expect(await lookUp(API)).toBe(controlPlane.address);
  });

  test('keeps its names after all machines were created again with other addresses', async () => {
    const before = await cluster.machines();
    await cluster.kubectl('create', 'configmap', 'written-before', '--from-literal=kept=yes');
    for (const { name } of before)
      expect(await cluster.kopsctl('toolbox', 'terminate', name)).toMatchObject({ exitCode: 0 });
    const repaired = await cluster.kopsctl('apply', '--yes');
    process.stderr.write(repaired.stderr);
    expect(repaired.exitCode).toBe(0);
    const old = new Set(before.map(({ address }) => address));
    expect((await cluster.machines()).filter(({ address }) => old.has(address))).toEqual([]);
    await until('the name has the new address', 60_000, async () =>
      (await lookUp(API)) === (await machine('ControlPlane')).address ? true : undefined,
    );
    expect(await cluster.kubectl('get', 'configmap', 'written-before', '-o', 'jsonpath={.data.kept}')).toBe('yes');
    expect(await cluster.kubectl('get', 'nodes', '--no-headers')).not.toContain('NotReady');
  });
});
