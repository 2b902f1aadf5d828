import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generator } from '@kopsctl/test-conformance/seeded.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { cannotRunMachines, testCluster, type TestCluster, until } from './cluster.ts';
import { startClients } from './request-history.ts';
import { startWebWorkload } from './web-workload.ts';
import { startWriter } from './write-history.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

interface Node {
  readonly name: string;
  readonly machineId: string;
  readonly label: string | undefined;
  readonly isCordoned: boolean;
}

/** A run reports at least this many steps: each of three machines takes more than this. */
const MOST_STEPS = 6;

/** There is no API while the only control plane is replaced, also across a kill: a write is repeated for longer than that takes. */
const PATIENCE_MS = 5 * 60_000;

describe.skipIf(reason !== undefined)('a cluster whose machines are outdated', () => {
  let cluster: TestCluster;
  let before: readonly Node[];

  beforeAll(async () => {
    cluster = await testCluster(join(import.meta.dirname, 'rolling-update.yaml'));
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    if (applied.exitCode !== 0) throw new Error(applied.stderr);
    before = await nodes();
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  const nodes = async (): Promise<readonly Node[]> => {
    const { items } = JSON.parse(await cluster.kubectl('get', 'nodes', '-o', 'json')) as {
      readonly items: readonly {
        readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
        readonly spec: { readonly unschedulable?: boolean };
        readonly status: { readonly nodeInfo: { readonly machineID: string } };
      }[];
    };
    return items.map(({ metadata, spec, status }) => ({
      name: metadata.name,
      machineId: status.nodeInfo.machineID,
      label: metadata.labels['team'],
      isCordoned: spec.unschedulable === true,
    }));
  };
  /** The names of the machines that would be replaced now. */
  const outdated = async (): Promise<readonly string[]> => {
    const { exitCode, stdout, stderr } = await cluster.kopsctl('rolling-update', 'cluster', '-o', 'json');
    if (exitCode !== 0) throw new Error(stderr);
    const { outdated: found } = JSON.parse(stdout) as { readonly outdated: readonly { readonly node: string }[] };
    return found.map(({ node }) => node).sort();
  };

  test('none is while nothing has changed', async () => {
    expect(await outdated()).toEqual([]);
  });

  /** Applies the specification with another label of the workers. */
  const applyTeam = async (team: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'kopsctl-rolling-'));
    const changed = join(folder, 'spec.yaml');
    const text = await readFile(cluster.spec, 'utf8');
    await writeFile(changed, text.replace('role: Node', `role: Node\n  nodeLabels:\n    team: ${team}`));
    const applied = await cluster.kopsctl('apply', '-f', changed, '--yes');
    await rm(folder, { recursive: true });
    expect(applied).toMatchObject({ exitCode: 0 });
    return applied;
  };

  test('those of a group with a new label are, and are named when it is applied', async () => {
    const applied = await applyTeam('blue');
    expect(applied.stdout + applied.stderr).toContain('2 of 3 machines run an older plan');
    const workers = (await cluster.machines()).filter(({ role }) => role === 'Node');
    expect(await outdated()).toEqual(workers.map(({ nodeName }) => nodeName).sort());
  });

  /** Rolls what is outdated, killed at steps that the seed chooses: each run as soon as it has reported that many steps. */
  const rollKilled = async (seed: number, kills: number): Promise<void> => {
    const random = generator(seed);
    for (let kill = 1; kill <= kills; kill += 1) {
      let steps = 1 + Math.floor(random() * MOST_STEPS);
      const isStep = (line: string) => line.includes('"type":"machine-step"') && (steps -= 1) === 0;
      await cluster.killKopsctl(isStep, 'rolling-update', 'cluster', '--yes', '-o', 'json');
      expect((await cluster.kopsctl('rolling-update', 'status')).stderr).toContain('It was interrupted');
    }
    const last = await cluster.kopsctl('rolling-update', 'cluster', '--yes', '-o', 'json');
    expect(last).toMatchObject({ exitCode: 0, stderr: last.stderr });
  };

  test(
    'rolls of all machines, killed at any step and resumed, lose no request to a Service and no write to the API',
    async () => {
      const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
      process.stderr.write(`rolling updates are killed by SEED=${seed}\n`);
      await cluster.kubectl('create', 'configmap', 'numbers', '--from-literal=number=0');
      const url = await startWebWorkload(cluster);
      const [clients, writer] = [startClients(cluster, url), startWriter(cluster, 'numbers', PATIENCE_MS)];
      // Two kills for each roll of three machines.
      for (let roll = 1; roll <= often(1, 5); roll += 1) {
        // Of all machines: the API is away while the only control plane is replaced, and pods serve on.
        const settings = ['kubelet', 'masterKubelet'].map((kubelet) => `spec.${kubelet}.logLevel=${2 + roll}`);
        expect(await cluster.kopsctl('set', 'cluster', ...settings)).toMatchObject({ exitCode: 0 });
        expect(await cluster.kopsctl('update', 'cluster', '--yes')).toMatchObject({ exitCode: 0 });
        expect(await outdated()).toHaveLength(3);
        const startMs = Date.now();
        await rollKilled(seed + roll, 2);
        process.stderr.write(
          `rolled three machines, killed twice, in ${((Date.now() - startMs) / 1000).toFixed(1)} s\n`,
        );
      }
      const { answered, failed, longestSilence } = await clients.end();
      const writes = await writer.end();
      process.stderr.write(
        `${answered} requests, at most ${longestSilence.ms} ms without an answer until ${longestSilence.until}; ${writes.acknowledged} writes\n`,
      );
      expect(failed).toEqual([]);
      expect(answered).toBeGreaterThan(100);
      expect(longestSilence.ms).toBeLessThan(3_000);
      expect(writes.failed).toEqual([]);
      const path = 'jsonpath={.data.number}';
      expect(await cluster.kubectl('get', 'configmap', 'numbers', '-o', path)).toBe(String(writes.acknowledged));
    },
    often(600_000, 3_600_000),
  );

  test('all machines are new then, none is cordoned, and the cluster is valid', async () => {
    const after = await nodes();
    expect(after).toHaveLength(3);
    for (const { name, machineId, label, isCordoned } of after) {
      const former = before.find((node) => node.name === name);
      const isWorker = !name.startsWith('control-plane');
      expect({ name, isNew: machineId !== former?.machineId, label, isCordoned }).toEqual({
        name,
        isNew: true,
        label: isWorker ? 'blue' : undefined,
        isCordoned: false,
      });
    }
    expect(await outdated()).toEqual([]);
    const validated = await cluster.kopsctl('validate', 'cluster', '--wait', '2m');
    expect(validated).toMatchObject({ exitCode: 0 });
  });

  /** What machines say of their plan, by machine. */
  const drift = async (): Promise<ReadonlyMap<string, string>> => {
    const { stdout } = await cluster.kopsctl('get', 'nodes', '-o', 'json');
    const shown = JSON.parse(stdout) as readonly { readonly node: string; readonly drift: string }[];
    return new Map(shown.map((one) => [one.node, one.drift]));
  };
  /** Changes a file that is in a machine's plan, and returns a function that reads it. */
  const harm = async (machine: string): Promise<() => Promise<string>> => {
    const plan = JSON.parse((await cluster.on(machine, 'cat', '/var/lib/kops/node-plan.json')).stdout) as {
      readonly tasks: readonly { readonly kind: string; readonly props: { readonly path?: string } }[];
    };
    const path = plan.tasks.find(({ kind, props }) => kind === 'File' && props.path?.startsWith('/etc/sysctl.d/'))
      ?.props.path;
    expect(path).toBeDefined();
    await cluster.on(machine, 'sh', '-c', `echo '# changed by hand' >${path}`);
    return async () => (await cluster.on(machine, 'cat', path ?? '')).stdout;
  };

  test('a machine that was changed by hand says so, and repairs itself where its group asks for that', async () => {
    const machines = await cluster.machines();
    const worker = machines.find(({ role }) => role === 'Node')?.name ?? '';
    const controlPlane = machines.find(({ role }) => role === 'ControlPlane')?.name ?? '';
    const [ofWorker, ofControlPlane] = [await harm(worker), await harm(controlPlane)];
    await until('the worker repairs itself, and says so', 90_000, async () => {
      const told = await drift();
      const isRepaired = /^none, \d+ repaired$/.test(told.get(worker) ?? '');
      return isRepaired && told.get(controlPlane) === '1 task differs' ? true : undefined;
    });
    expect(await ofWorker()).not.toContain('changed by hand');
    expect(await ofControlPlane()).toContain('changed by hand');
    const validated = await cluster.kopsctl('validate', 'cluster');
    expect(validated).toMatchObject({ exitCode: 0 });
    expect(validated.stderr).toMatch(/Warning: Node control-plane\S*: differs from its plan in File\/etc\/sysctl\.d/);
  });

  test('with --in-place, machines follow a new plan without being replaced, and still do after a reboot', async () => {
    const former = await nodes();
    await applyTeam('green');
    const rolled = await cluster.kopsctl('rolling-update', 'cluster', '--yes', '--in-place', '-o', 'json');
    expect(rolled).toMatchObject({ exitCode: 0 });
    const isWorker = ({ name }: Node) => !name.startsWith('control-plane');
    const expected = former.filter(isWorker).map((node) => ({ ...node, label: 'green', isCordoned: false }));
    await until('workers have their new label', 30_000, async () =>
      (await nodes()).filter(isWorker).every(({ label }) => label === 'green') ? true : undefined,
    );
    expect((await nodes()).filter(isWorker)).toEqual(expected);
    expect(await outdated()).toEqual([]);
    const worker = expected[0]?.name ?? '';
    const planned = async () => (await cluster.on(worker, 'grep', 'planHash', '/etc/kops/boot.json')).stdout;
    const before = await planned();
    await cluster.stop(worker);
    await cluster.start(worker);
    expect(await cluster.kopsctl('validate', 'cluster', '--wait', '2m')).toMatchObject({ exitCode: 0 });
    expect(await planned()).toBe(before);
    expect(await outdated()).toEqual([]);
  });

  test('a machine that stays not Ready is replaced by heal, and no other', async () => {
    const former = await nodes();
    const sick = former.find(({ name }) => !name.startsWith('control-plane'))?.name ?? '';
    // Stopped and not ended: nodeup would start it again.
    await cluster.on(sick, 'systemctl', 'kill', '--signal=STOP', 'kubelet.service');
    const sixMinutesAgo = new Date(Date.now() - 6 * 60_000).toISOString();
    // As the node controller reports a silent kubelet, except that five minutes need not pass here.
    const unknown = {
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      lastTransitionTime: sixMinutesAgo,
    };
    const patch = JSON.stringify({ status: { conditions: [unknown] } });
    await cluster.kubectl('patch', 'node', sick, '--subresource=status', '--type=strategic', '--patch', patch);
    expect((await cluster.kopsctl('heal')).stdout).toContain(sick);
    expect(await nodes()).toEqual(former);
    expect(await cluster.kopsctl('heal', '--yes')).toMatchObject({ exitCode: 0 });
    const after = await nodes();
    const replaced = former.filter(({ machineId }) => !after.some((node) => node.machineId === machineId));
    expect(replaced.map(({ name }) => name)).toEqual([sick]);
    expect(after.filter(({ isCordoned }) => isCordoned)).toEqual([]);
    expect(await cluster.kopsctl('validate', 'cluster', '--wait', '2m')).toMatchObject({ exitCode: 0 });
  });
});
