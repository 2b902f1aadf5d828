import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyCluster } from '@kopsctl/actions/apply-cluster.ts';
import { rollStatus } from '@kopsctl/actions/control-rolling-update.ts';
import { createCluster } from '@kopsctl/actions/create-cluster.ts';
import { ROTATION_PHASES } from '@kopsctl/actions/keys/rotation/plan-rotation.ts';
import type { ActionContext, ActionEvent } from '@kopsctl/actions/phases/action.ts';
import { rollCluster, type RollManner } from '@kopsctl/actions/roll-cluster.ts';
import { rotateKeypairs } from '@kopsctl/actions/rotate-keypairs.ts';
import { rollLockPath } from '@kopsctl/actions/rolling/roll-lock.ts';
import { lockPath } from '@kopsctl/actions/store/with-cluster-lock.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { isRotatable } from '@kopsctl/pki/keyset-changes.ts';
import { type Keyset, parseKeyset } from '@kopsctl/pki/keyset.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { WITHOUT_API } from './roll-manner.ts';
import { openToyService, type ToyMachine } from './toy-cloud/node/toy-things.ts';

vi.mock(import('@kopsctl/clouds/control-registry.ts'), async (original) => {
  const { toy } = await import('./toy-cloud/control/toy.ts');
  return { CLOUDS: [...(await original()).CLOUDS.filter(({ name }) => name !== toy.name), toy] };
});

/** What stands between kopsctl and the state store. */
const between = vi.hoisted(() => ({
  store: (opened: StateStore): StateStore => opened,
}));
vi.mock(import('@kopsctl/state-store/open.ts'), async (original) => {
  const { openStore: open, ...rest } = await original();
  return { ...rest, openStore: async (...args) => between.store(await open(...args)) };
});

const NAME = 'rotate.k8s.local';
const JOURNAL = `${NAME}/keypair-rotation.json`;
const MANNER = { ...WITHOUT_API, budget: '50%' };

/** What a machine read when it was made: by keyset, which pairs it trusts, and which one signed what it shows. */
interface Booted {
  readonly trusts: Readonly<Record<string, readonly string[]>>;
  readonly shows: Readonly<Record<string, string>>;
}

let folder = '';
let context: ActionContext;
let real: StateStore;
const booted = new Map<string, Booted>();
const machines = (): Promise<readonly ToyMachine[]> =>
  openToyService(join(folder, 'local', 'toy-cloud')).machines.list();
const text = async (path: string): Promise<string> => new TextDecoder().decode((await real.read(path))?.bytes);

/** What is stored of the keysets: whole, or only what machines without a right to private keys read. */
async function keysets(half: 'private' | 'issued'): Promise<readonly Keyset[]> {
  const paths = (await real.list(`${NAME}/pki/${half}`)).map(({ path }) => path);
  const names = paths.flatMap((path) => path.split('/')[3] ?? []).filter(isRotatable);
  return Promise.all(
    names.map(async (name) => {
      const path = `${NAME}/pki/${half}/${name}/keyset.yaml`;
      return { ...parseKeyset(await text(path), path), name };
    }),
  );
}

const trusted = ({ items }: Keyset): readonly string[] =>
  items.flatMap(({ id, distrustedMs }) => (distrustedMs === undefined ? [id] : []));

/** Machines boot once they are made. Fails if one of them does not trust what another one shows. */
async function bootNew(): Promise<void> {
  const there = await machines();
  for (const { id, name: node, role, userData } of there.filter((one) => !booted.has(one.id))) {
    const planHash = /"planHash": "([0-9a-f]{64})"/.exec(userData)?.[1];
    const report = JSON.stringify({ startedAt: '', planHash, result: 'done', tasks: [] });
    const path = bootReportPath(NAME, node);
    const former = await real.read(path);
    const condition = ifUnchanged(former?.version);
    await real.write(path, new TextEncoder().encode(report), condition);
    const read = await keysets(role === 'ControlPlane' ? 'private' : 'issued');
    booted.set(id, {
      trusts: Object.fromEntries(read.map((keyset) => [keyset.name, trusted(keyset)])),
      shows: Object.fromEntries(read.map(({ name, primaryId }) => [name, primaryId])),
    });
  }
  const all = there.flatMap(({ id }) => booted.get(id) ?? []);
  const signs = Object.fromEntries((await keysets('private')).map(({ name, primaryId }) => [name, primaryId]));
  for (const { trusts } of all) {
    for (const shown of [...all.map(({ shows }) => shows), signs]) {
      for (const [name, id] of Object.entries(shown)) expect(trusts[name], `who trusts ${name}`).toContain(id);
    }
  }
}

/** Runs as a process would, until `onBoundary` throws: then nothing is written any more. */
async function run(
  manner: RollManner,
  onBoundary: (what: string) => void,
): Promise<Awaited<ReturnType<typeof rotateKeypairs>> | 'killed'> {
  const dead = new AbortController();
  const pass = (what: string): void => {
    dead.signal.throwIfAborted();
    try {
      onBoundary(what);
    } catch (error) {
      dead.abort(error);
      throw error;
    }
  };
  // Another process learns from the lock that this one has ended; here it is the same process, which gives the lock back.
  const locks = [lockPath(NAME), rollLockPath(NAME)];
  between.store = (opened) => ({
    ...opened,
    async write(path, ...args) {
      if (locks.includes(path)) return opened.write(path, ...args);
      pass(`before ${path}`);
      const written = await opened.write(path, ...args);
      await bootNew();
      pass(`after ${path}`);
      return written;
    },
  });
  const onEvent = (event: ActionEvent): void => {
    if (event.type !== 'roll' || event.event.type !== 'machine-step') return;
    pass(`${event.event.step} ${event.event.instanceGroup}`);
  };
  try {
    // These machines serve no API that could be asked.
    const timeMs = async () => Date.now();
    return await rotateKeypairs({ ...context, signal: dead.signal, onEvent }, { yes: true, manner, timeMs });
  } catch (error) {
    if (!dead.signal.aborted) throw error;
    return 'killed';
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-rotate-'));
  context = {
    state: `file://${folder}/state`,
    name: NAME,
    env: { KOPSCTL_LOCAL_DIR: join(folder, 'local'), KUBECONFIG: join(folder, 'kubeconfig') },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
  real = await openStore(`file://${folder}/state`, {});
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'], node: { count: 1 }, kubernetesVersion: '1.34.4' };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: false });
  await makeUpHashes(real, NAME);
  await applyCluster(context, { scope: { prune: false } });
  await bootNew();
});
afterAll(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

test('A rotation that is killed at each of its steps goes on there, does none twice, and trusts nothing old at its end', async () => {
  const before = await keysets('private');
  const names = before.map(({ name }) => name);
  // What happens to one keyset happens to the others, and each roll goes on like the others.
  const rolls = casesOf(['roll-trust'], ['roll-signing', 'roll-distrust']);
  const watched = casesOf(['kubernetes-ca', 'service-account'], names);
  const [killed, replaced, phases] = [new Set<string>(), [] as string[], [] as string[]];
  const phaseNow = async () => (JSON.parse((await text(JOURNAL)) || '{"phase":"none"}') as { phase: string }).phase;
  let phase = await phaseNow();
  const die = (what: string): void => {
    if (what.startsWith('done ')) replaced.push(`${phase}: ${what.slice('done '.length)}`);
    const isOfKeyset = !phase.startsWith('roll-') && watched.some((name) => what.includes(`/${name}/`));
    const isOfRoll = rolls.includes(phase) && what === 'delete nodes-room-1';
    const isWatched = isOfKeyset || isOfRoll || what.endsWith(JOURNAL);
    const boundary = `${phase}: ${what}`;
    if (!isWatched || killed.has(boundary)) return;
    killed.add(boundary);
    throw new Error(boundary);
  };
  const isAway = () => Promise.reject(new Error('the API does not answer'));
  const shownWithoutApi: unknown[] = [];
  while (phase !== 'done') {
    if (phases.at(-1) !== phase) phases.push(phase);
    // The run that begins is asked to keep to a budget: the others go on as it did.
    const budget = phase === 'none' ? '1' : '100%';
    const ended = await run({ ...MANNER, budget, resumes: true }, die);
    await bootNew();
    if (ended !== 'killed' && ended.next.action === 'wait') {
      shownWithoutApi.push(await rotateKeypairs(context, { yes: false, timeMs: isAway }));
    }
    vi.setSystemTime(ended !== 'killed' && ended.next.action === 'wait' ? ended.next.untilMs : Date.now() + 1_000);
    phase = await phaseNow();
  }
  expect(shownWithoutApi[0]).toMatchObject({ phase: 'refresh-tokens', next: { action: 'wait' } });
  // The last run was killed before it could report: the next one reports, and begins no other rotation.
  const told = await run({ ...MANNER, resumes: true }, () => {});
  expect(told).toMatchObject({ phase: 'done', next: { action: 'nothing' } });
  expect(phases).toEqual(['none', ...ROTATION_PHASES.filter((one) => one !== 'done')]);
  expect(killed.size).toBeGreaterThan(40);
  const once = ['control-plane-room-1', 'nodes-room-1'];
  expect(replaced).toEqual(
    ['trust', 'signing', 'distrust'].flatMap((of) => once.map((group) => `roll-${of}: ${group}`)),
  );
  expect((await rollStatus(context, {})).roll).toMatchObject({ state: 'done', asked: { budget: '1' } });
  const after = await keysets('private');
  for (const [index, keyset] of after.entries()) {
    expect(keyset.items.map(({ id }) => id)).toEqual([before[index]?.primaryId, keyset.primaryId]);
    expect(trusted(keyset)).toEqual([keyset.primaryId]);
  }
  const newest = Object.fromEntries(after.map(({ name, primaryId }) => [name, primaryId]));
  for (const { id } of await machines()) {
    expect(booted.get(id)?.shows).toEqual(newest);
    expect(booted.get(id)?.trusts).toEqual(Object.fromEntries(names.map((name) => [name, [newest[name]]])));
  }
  expect((await rollCluster(context, { ...MANNER, yes: false })).outdated).toEqual([]);
}, 300_000);
