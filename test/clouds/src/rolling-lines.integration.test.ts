import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyCluster } from '@kopsctl/actions/apply-cluster.ts';
import { createCluster } from '@kopsctl/actions/create-cluster.ts';
import type { ActionContext, ActionEvent } from '@kopsctl/actions/phases/action.ts';
import { rollCluster } from '@kopsctl/actions/roll-cluster.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { runLine } from '@kopsctl/cli/testing/run-line.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openToyService } from './toy-cloud/node/toy-things.ts';
import { toyKube } from './toy-kube.ts';

vi.mock(import('@kopsctl/clouds/control-registry.ts'), async (original) => {
  const { toy } = await import('./toy-cloud/control/toy.ts');
  return { CLOUDS: [...(await original()).CLOUDS.filter(({ name }) => name !== toy.name), toy] };
});

// Its machines have the ids that their Nodes have, as those of other clouds: a new machine is known to have joined.
vi.mock(import('./toy-cloud/control/fleet-toy.ts'), async (original) => {
  const { toyFleet } = await original();
  return {
    toyFleet: (...args) => {
      const fleet = toyFleet(...args);
      const withMachineIds = ({ machines, ...group }: FleetGroup): FleetGroup => ({
        ...group,
        machines: machines.map((machine) => ({ ...machine, machineId: machine.id })),
      });
      return { ...fleet, groups: async (signal) => (await fleet.groups(signal)).map(withMachineIds) };
    },
  };
});

const api = vi.hoisted((): { kube?: unknown } => ({}));
vi.mock(import('@kopsctl/actions/access/admin-client.ts'), () => ({
  // As much of a client as a rolling update uses.
  openAdminClient: () => api.kube as KubeClient,
}));

// Each line would listen for Ctrl-C on its own.
vi.mock(import('@kopsctl/cli/interruption.ts'), () => ({ interruption: () => new AbortController().signal }));

const NAME = 'lines.k8s.local';
const GROUP = 'nodes-room-1';
const MANNER = {
  force: true,
  cloudOnly: false,
  interactive: false,
  budget: '1',
  drainTimeoutMs: 1_000,
  postDrainDelayMs: 0,
  validationTimeoutMs: 60_000,
  validateCount: 1,
  failOnDrainError: true,
  failOnValidateError: true,
  intervalsMs: { Bastion: 0, ControlPlane: 0, APIServer: 0, Node: 0 },
  instanceGroups: [GROUP],
  yes: true,
  ask: async () => true,
};

let folder = '';
let context: ActionContext;
let kube: ReturnType<typeof toyKube>;
const toy = () => openToyService(join(folder, 'local', 'toy-cloud'));
const ids = async (): Promise<readonly string[]> =>
  (await toy().machines.list()).filter(({ instanceGroup }) => instanceGroup === GROUP).map(({ id }) => id);
const rolling = (verb: string) => runLine(`kopsctl rolling-update ${verb} ${NAME}`, { ...context.env });

/** The first machines have joined; later ones do when they are looked at for the fourth time. */
function joiningLate(): (machines: readonly { readonly id: string }[]) => ReadonlySet<string> {
  const looks = new Map<string, number>();
  return (machines) => {
    const before = looks.size === 0 ? 3 : 0;
    for (const { id } of machines) looks.set(id, (looks.get(id) ?? before) + 1);
    return new Set(machines.flatMap(({ id }) => ((looks.get(id) ?? 0) > 3 ? [id] : [])));
  };
}

/** The Nodes that a rolling update left changed. */
async function marked(): Promise<readonly string[]> {
  const { items } = (await kube.get('/api/v1/nodes?', context.signal)) as {
    readonly items: readonly {
      readonly metadata: { readonly name: string; readonly annotations?: object; readonly labels?: object };
      readonly spec: { readonly unschedulable?: boolean; readonly taints?: readonly unknown[] };
    }[];
  };
  return items.flatMap(({ metadata: { name, annotations = {}, labels = {} }, spec: { unschedulable, taints = [] } }) =>
    unschedulable === true || taints.length + Object.keys(annotations).length + Object.keys(labels).length > 0
      ? [name]
      : [],
  );
}

/** Rolls until the first machine is at a step, and is killed then. */
async function killedAt(step: string): Promise<void> {
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'roll' && event.event.type === 'machine-step' && event.event.step === step)
      throw new Error('killed');
  };
  await expect(rollCluster({ ...context, onEvent }, MANNER)).rejects.toThrow('killed');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-lines-'));
  const state = `file://${folder}/state`;
  context = {
    state,
    name: NAME,
    env: { KOPS_STATE_STORE: state, KOPSCTL_LOCAL_DIR: join(folder, 'local'), KUBECONFIG: join(folder, 'kubeconfig') },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
  kube = toyKube(toy(), { joined: joiningLate() });
  api.kube = kube;
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'], node: { count: 2 }, kubernetesVersion: '1.34.4' };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: false });
  await makeUpHashes(await openStore(state, {}), NAME);
  await applyCluster(context, { scope: { prune: false } });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const AGAIN = `kopsctl rolling-update resume ${NAME}\n`;

test('Where nothing was left, there is nothing to go on with, and nothing to put back', async () => {
  expect(await rolling('status')).toMatchObject({ code: 0, stdout: `${NAME} was never rolled.\n` });
  const resumed = await rolling('resume');
  expect(resumed).toMatchObject({ code: 1, stdout: '' });
  expect(resumed.stderr).toContain('it was never rolled');
  const why = `No rolling update of ${NAME} was left unfinished: there is nothing to put back.\n`;
  expect(await rolling('abort')).toEqual({ code: 0, stdout: '', stderr: why });
});

test.each([
  { step: 'cordon', wasMarked: 0, replaced: 0 },
  { step: 'drain', wasMarked: 2, replaced: 0 },
  { step: 'delete', wasMarked: 2, replaced: 1 },
  { step: 'make', wasMarked: 1, replaced: 1 },
  { step: 'validate', wasMarked: 2, replaced: 1 },
])(
  'One that was interrupted at the step $step is aborted: no Node stays marked; then it is resumed',
  async ({ step, wasMarked, replaced }) => {
    const before = await ids();
    await killedAt(step);
    expect(await marked()).toHaveLength(wasMarked);
    const left = await rolling('status');
    expect(left).toMatchObject({ code: 0, stderr: expect.stringContaining(`It was interrupted. Next: ${AGAIN}`) });
    expect(left.stdout).toMatch(new RegExp(`nodes-room-1-1\\S* +${GROUP} +Node +${step} `));
    const aborted = await rolling('abort');
    expect(aborted).toMatchObject({ code: 0, stdout: '' });
    expect(aborted.stderr).toContain(`${replaced} replaced, 0 failed, ${2 - replaced} left\n`);
    expect(aborted.stderr).toContain(`The rolling update of ${NAME} is aborted. Next: ${AGAIN}`);
    expect(await marked()).toEqual([]);
    expect((await ids()).filter((id) => !before.includes(id))).toHaveLength(replaced);
    expect((await rolling('status')).stderr).toContain('aborted, since');
    const resumed = await rolling('resume');
    expect(resumed).toMatchObject({ code: 0, stdout: '' });
    expect(resumed.stderr).toContain(`Rolling update of ${NAME} completed.\n`);
    expect(await marked()).toEqual([]);
    // Each was replaced once, by whichever run.
    expect((await ids()).filter((id) => before.includes(id))).toEqual([]);
    expect((await rolling('resume')).stderr).toContain('the latest one is done');
  },
);

test('Of a cluster of kops that was not taken over, it is said that its machines are not replaced, and what to do', async () => {
  const said = { code: 0, stdout: expect.stringContaining('Must specify --yes to rolling-update.\n') };
  expect(await rolling('cluster --force')).toMatchObject(said);
  const version = join(folder, 'state', NAME, 'kops-version.txt');
  await writeFile(version, '1.36.2\n');
  const { code, stdout, stderr } = await rolling('cluster --force');
  await rm(version);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('--yes') });
  expect(stderr).toContain(
    `kops 1.36.2 made ${NAME}, and kopsctl has not taken it over: until it does, nothing is applied.\n` +
      `Next: kopsctl adopt ${NAME} shows what that changes and why (docs/moving-from-kops.md)\n`,
  );
});

test('Whoever rolls is asked to end it, and puts back what can be put back', async () => {
  const before = await ids();
  const { promise: isDraining, resolve: draining } = Promise.withResolvers<void>();
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'roll' && event.event.type === 'machine-step' && event.event.step === 'drain') draining();
  };
  // The question which pods are on a machine gets no answer.
  const get: KubeClient['get'] = (path, signal) =>
    path.startsWith('/api/v1/pods?')
      ? new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the request was given up')));
        })
      : kube.get(path, signal);
  api.kube = { ...kube, get };
  const working = rollCluster({ ...context, onEvent }, MANNER);
  await Promise.race([isDraining, working]);
  expect(await marked()).not.toEqual([]);
  const asked = await rolling('abort');
  expect(asked).toMatchObject({ code: 0, stdout: '' });
  expect(asked.stderr).toMatch(/^Asked .+ to end the rolling update\. Next: kopsctl rolling-update status /m);
  expect((await working).roll?.state).toBe('aborted');
  expect(await marked()).toEqual([]);
  expect(await ids()).toEqual(before);
});

test('A cluster that is deleted while its machines are compared is not rolled', async () => {
  const before = await ids();
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'phase-finished' && event.phase === 'compare machines with their plans')
      rmSync(join(folder, 'state', NAME, 'config'));
  };
  await expect(rollCluster({ ...context, onEvent }, MANNER)).rejects.toThrow('it holds no cluster');
  expect(await ids()).toEqual(before);
});
