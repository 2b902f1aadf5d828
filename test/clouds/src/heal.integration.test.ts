import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyCluster } from '@kopsctl/actions/apply-cluster.ts';
import { createCluster } from '@kopsctl/actions/create-cluster.ts';
import { healCluster } from '@kopsctl/actions/heal-cluster.ts';
import type { ActionContext, ActionEvent } from '@kopsctl/actions/phases/action.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openToyService } from './toy-cloud/node/toy-things.ts';
import { toyKube } from './toy-kube.ts';

vi.mock(import('@kopsctl/clouds/control-registry.ts'), async (original) => {
  const { toy } = await import('./toy-cloud/control/toy.ts');
  return { CLOUDS: [...(await original()).CLOUDS.filter(({ name }) => name !== toy.name), toy] };
});

const api = vi.hoisted((): { kube?: unknown } => ({}));
vi.mock(import('@kopsctl/actions/access/cluster-access.ts'), async (original) => ({
  ...(await original()),
  // As much of a client as a rolling update uses.
  accessCluster: async () => ({ kube: api.kube as KubeClient }) as never,
}));

const NAME = 'heal.k8s.local';
const [LOST, OTHER] = [`nodes-room-1-1.${NAME}`, `nodes-room-1-2.${NAME}`] as const;

let folder = '';
let context: ActionContext;
const events: ActionEvent[] = [];
const toy = () => openToyService(join(folder, 'local', 'toy-cloud'));
const idOf = async (name: string): Promise<string | undefined> => (await toy().machines.read(name))?.id;

/** The API, where the Node of a machine that is gone stays and has been not Ready for long. */
function kubeWithLostNode(): ReturnType<typeof toyKube> {
  const kube = toyKube(toy());
  const lost = {
    metadata: { name: LOST },
    status: { conditions: [{ type: 'Ready', status: 'Unknown', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  };
  return {
    ...kube,
    async get(path, signal) {
      const answer = asRecord(await kube.get(path, signal));
      if (!path.startsWith('/api/v1/nodes?') || (await idOf(LOST)) !== undefined) return answer;
      return { ...answer, items: [...asArray(answer['items']), lost] };
    },
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-heal-'));
  const state = `file://${folder}/state`;
  context = {
    state,
    name: NAME,
    env: { KOPS_STATE_STORE: state, KOPSCTL_LOCAL_DIR: join(folder, 'local'), KUBECONFIG: join(folder, 'kubeconfig') },
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
  };
  api.kube = kubeWithLostNode();
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'], node: { count: 2 }, kubernetesVersion: '1.34.4' };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: false });
  const store = await openStore(state, {});
  const spec = await store.read(`${NAME}/config`);
  const asking = new TextDecoder()
    .decode(spec?.bytes)
    .replace('\nmetadata:\n', "\nmetadata:\n  annotations:\n    kopsctl.io/replace-unready: '15m'\n");
  await store.write(`${NAME}/config`, new TextEncoder().encode(asking), { ifVersion: spec?.version ?? '' });
  await makeUpHashes(store, NAME);
  await applyCluster(context, { scope: { prune: false } });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('A machine that is gone is made again, the others stay, and the next look finds nothing to do', async () => {
  const [former, other] = [await idOf(LOST), await idOf(OTHER)];
  await toy().machines.delete(LOST);
  const shown = await healCluster(context, { yes: false });
  expect(shown.plan.replace?.machine.name).toBe(LOST);
  expect(await idOf(LOST)).toBeUndefined();

  const healed = await healCluster(context, { yes: true });
  expect(healed.roll).toMatchObject({ state: 'done', purpose: 'heal', turns: [{ name: LOST, step: 'done' }] });
  expect(await idOf(LOST)).toBeTypeOf('string');
  expect(await idOf(LOST)).not.toBe(former);
  expect(await idOf(OTHER)).toBe(other);
  const told = events.flatMap((event) => (event.type === 'roll' ? [event.event.type] : []));
  expect(told[0]).toBe('roll-started');

  const again = await healCluster(context, { yes: true });
  expect(again.plan).toEqual({ held: [], machines: 3 });
  expect(again.roll).toBeUndefined();
});
