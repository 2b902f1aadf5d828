import { dirname, join } from 'node:path';
import { parseKeys } from '@kopsctl/protokube/gossip/gossip-keys.ts';
import { execa } from 'execa';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';
import { refusals } from './hardened-machines.ts';
import type { Forgery } from './stolen/forge-names.ts';
import { allowed, objectsOf } from './stolen/store.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const API = 'api.internal.gossip.k8s.local';

describe.skipIf(reason !== undefined)('a cluster with gossip', () => {
  let cluster: TestCluster;
  let worker = '';

  beforeAll(async () => {
    cluster = await testCluster('gossip.yaml');
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    if (applied.exitCode !== 0) throw new Error('the cluster was not created');
    worker = await machineOf('Node');
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  const machineOf = async (wanted: string) =>
    (await cluster.machines()).find(({ role }) => role === wanted)?.name ?? '';
  const hosts = async () => (await cluster.on(worker, 'cat', '/etc/hosts')).stdout;

  test('lets a worker find the API through the records of the control plane', async () => {
    expect(await hosts()).toMatch(new RegExp(String.raw`^\d+\.\d+\.\d+\.\d+\t.*${API}`, 'm'));
    // It listens on 3998, kops's gossip port.
    expect((await cluster.on(worker, 'cat', '/proc/net/udp')).stdout).toContain(':0F9E ');
  });

  test('keeps the keys readable only by the agent', async () => {
    const { stdout } = await cluster.on(worker, 'stat', '-c', '%a %U', '/etc/kops/gossip-keys');
    expect(stdout.trim()).toBe('600 root');
  });

  test('leaves a worker without the key of the control plane and without anything to sign names with', async () => {
    const files = async (machine: string) =>
      (await cluster.on(machine, 'ls', '/etc/kops')).stdout.split('\n').filter((name) => name.startsWith('gossip-'));
    const ofAll = ['gossip-keys', 'gossip-records-ca.crt'];
    expect(await files(worker)).toEqual(ofAll);
    const ofControlPlane = [...ofAll, 'gossip-keys-control-plane', 'gossip-records.crt', 'gossip-records.key'];
    expect((await files(await machineOf('ControlPlane'))).toSorted()).toEqual(ofControlPlane.toSorted());
  });

  test('lets a worker read the plans of workers in the store, and neither read, list nor change anything else there', async () => {
    const objects = await objectsOf(join(dirname(cluster.kubeconfig), 'state'));
    const requests = [
      ...objects.flatMap((object) => ['GET', 'PUT', 'DELETE'].map((method) => `${method} /state/${object}`)),
      ...['', cluster.name, 'new'].map((object) => `PUT /state/${cluster.name}/worker-plans/${object}`),
      ...['', '/', '/?list=', `/?list=${cluster.name}/worker-plans/`].map((path) => `GET /state${path}`),
    ];
    const plans = objects.filter((object) => object.startsWith(`${cluster.name}/worker-plans/`));
    expect(plans).not.toEqual([]);
    expect(await allowed(cluster, worker, requests)).toEqual(plans.map((plan) => `GET /state/${plan} 200`));
  });

  test('leads nobody elsewhere, whatever a thief with the key of the workers says', async () => {
    const before = await hosts();
    const machines = await cluster.machines();
    const keys = parseKeys((await cluster.on(worker, 'cat', '/etc/kops/gossip-keys')).stdout, worker);
    const forgery: Forgery = {
      key: Buffer.from(keys[0]?.key ?? []).toString('base64'),
      cluster: cluster.name,
      port: 3998,
      members: machines.map(({ address }) => address),
      name: API,
      owner: await machineOf('ControlPlane'),
      address: '6.6.6.6',
    };
    const program = [process.execPath, join(import.meta.dirname, 'stolen/forge-names.ts')];
    const network = `--net=${await cluster.networkNamespace()}`;
    await execa('nsenter', [network, ...program], { input: JSON.stringify(forgery) });
    for (const { name } of machines) {
      await until(`${name} refuses what it was told`, 30_000, async () => {
        const { stdout } = await cluster.on(
          name,
          'journalctl',
          '-u',
          'protokube',
          '-o',
          'cat',
          '-g',
          'message refused',
        );
        return stdout.includes('message refused') ? true : undefined;
      });
    }
    expect(await hosts()).toBe(before);
    expect((await cluster.kopsctl('validate', 'cluster')).exitCode).toBe(0);
  });

  test('shows boot, discovery and volumes of each machine in one table', async () => {
    const rows = await until('every machine has told', 30_000, async () => {
      const { stdout } = await cluster.kopsctl('get', 'nodes', '-o', 'json');
      const nodes: { role: string; discovery: string; failures: string[] }[] = JSON.parse(stdout);
      // Failures during the boot are shown until their cause has been absent for some seconds.
      return nodes.every((one) => one.discovery.startsWith('gossip, 2 members') && one.failures.length === 0)
        ? nodes
        : undefined;
    });
    const well = { status: 'Ready', boot: expect.stringMatching(/^\d+ tasks in \d+ s$/) };
    expect(rows.find(({ role }) => role === 'Node')).toMatchObject({ ...well, volumes: '', addons: '' });
    expect(rows.find(({ role }) => role === 'ControlPlane')).toMatchObject({
      ...well,
      volumes: 'main a, events a',
      addons: expect.stringMatching(/^\d+ applied$/),
    });
  });

  test('releases the volumes of a machine before it shuts down, and attaches them again', async () => {
    const controlPlane = await machineOf('ControlPlane');
    await cluster.stop(controlPlane);
    await cluster.start(controlPlane);
    const { stdout } = await until('it can be asked', 60_000, async () => {
      const asked = await cluster.on(controlPlane, 'journalctl', '-b', '-1', '-u', 'protokube', '-o', 'cat');
      return asked.exitCode === 0 ? asked : undefined;
    });
    for (const etcd of ['main', 'events'])
      expect(stdout).toContain(`volume detached volumeId=a.etcd-${etcd}.gossip.k8s.local`);
    expect(await cluster.kopsctl('validate', 'cluster', '--wait', '2m')).toMatchObject({ exitCode: 0 });
  });

  test('keeps its names after every agent was killed with SIGKILL', async () => {
    for (const { name } of await cluster.machines()) await cluster.killAgents(name);
    await cluster.on(worker, 'sed', '-i', `/${API}/d`, '/etc/hosts');
    await until('the name is back', 30_000, async () => ((await hosts()).includes(API) ? true : undefined));
    expect(await cluster.kubectl('get', 'nodes', '--no-headers')).not.toContain('NotReady');
  });

  test('accepts a machine again that was cut off until it was declared dead', async () => {
    const controlPlane = await machineOf('ControlPlane');
    const journal = async () => (await cluster.on(controlPlane, 'journalctl', '-u', 'protokube', '-o', 'cat')).stdout;
    const told = async (what: RegExp) => (what.test(await journal()) ? true : undefined);
    const reconnect = await cluster.cutOff(worker);
    try {
      await until('the control plane misses it', 60_000, () => told(new RegExp(`member failed member=${worker} `)));
    } finally {
      await reconnect();
    }
    await until('it is back', 60_000, () =>
      told(new RegExp(`member failed member=${worker} [^]*member joined member=${worker} `)),
    );
    expect(await hosts()).toContain(API);
    await until('the worker is Ready', 120_000, async () =>
      (await cluster.kubectl('get', 'node', worker, '--no-headers')).includes('NotReady') ? undefined : true,
    );
  });

  // With names in DNS it is the same in every run (dns.vm.test.ts).
  test.each(casesOf([], ['other addresses']))('comes back after all machines were created again with %s', async () => {
    const before = await cluster.machines();
    for (const { name } of before) {
      expect(await cluster.kopsctl('toolbox', 'terminate', name)).toMatchObject({ exitCode: 0 });
    }
    const repaired = await cluster.kopsctl('apply', '--yes');
    process.stderr.write(repaired.stderr);
    expect(repaired.exitCode).toBe(0);
    const old = new Set(before.map(({ address }) => address));
    const now = await cluster.machines();
    expect(now.filter(({ address }) => old.has(address))).toEqual([]);
    const api = now.find(({ role }) => role === 'ControlPlane')?.address ?? '';
    expect(await hosts()).toMatch(new RegExp(String.raw`^${api.replaceAll('.', String.raw`\.`)}\t.*${API}`, 'm'));
    for (const address of old) expect(await hosts()).not.toMatch(new RegExp(String.raw`^${address}\t`, 'm'));
  });

  test('refuses its agents and etcd nothing that they ask for', async () => {
    expect(await refusals(cluster)).toEqual([]);
  });
});
