import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, type TestCluster } from './cluster.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

interface Node {
  readonly name: string;
  readonly machineId: string;
  readonly label: string | undefined;
  readonly isCordoned: boolean;
}

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

  test('those of a group with a new label are, and are named when it is applied', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kopsctl-rolling-'));
    const changed = join(folder, 'spec.yaml');
    const text = await readFile(cluster.spec, 'utf8');
    await writeFile(changed, text.replace('role: Node', 'role: Node\n  nodeLabels:\n    team: blue'));
    const applied = await cluster.kopsctl('apply', '-f', changed, '--yes');
    await rm(folder, { recursive: true });
    expect(applied).toMatchObject({ exitCode: 0 });
    expect(applied.stdout + applied.stderr).toContain('2 of 3 machines run an older plan');
    const workers = (await cluster.machines()).filter(({ role }) => role === 'Node');
    expect(await outdated()).toEqual(workers.map(({ nodeName }) => nodeName).sort());
  });

  test('a roll of all machines, the only control plane too, is killed and gone on with at once', async () => {
    expect(await cluster.kopsctl('set', 'cluster', 'spec.kubelet.logLevel=3')).toMatchObject({ exitCode: 0 });
    expect(await cluster.kopsctl('update', 'cluster', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await outdated()).toHaveLength(3);
    const startMs = Date.now();
    await cluster.killKopsctl(
      (line) => /"step":"drain"/.test(line) && /"instanceGroup":"nodes"/.test(line),
      'rolling-update',
      'cluster',
      '--yes',
      '-o',
      'json',
    );
    const status = await cluster.kopsctl('rolling-update', 'status');
    expect(status.stderr).toContain('It was cut off');
    const rolled = await cluster.kopsctl('rolling-update', 'cluster', '--yes', '-o', 'json');
    const seconds = (Date.now() - startMs) / 1000;
    process.stderr.write(`rolled three machines, killed once, in ${seconds.toFixed(1)} s\n`);
    expect(rolled).toMatchObject({ exitCode: 0 });
    // On a machine that does nothing else it is to take 90 s; other clusters run beside this one.
    expect(seconds).toBeLessThan(180);
  });

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
});
