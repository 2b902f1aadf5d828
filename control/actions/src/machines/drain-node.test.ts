import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { expect, test } from 'vitest';
import { drainNode } from './drain-node.ts';
import { podsToLeave } from './plan-drain.ts';

const SIGNAL = new AbortController().signal;
const DRAINING = {
  node: 'n',
  begunMs: Date.now(),
  timeoutMs: 60_000,
  lookAgainMs: 1,
  nowMs: () => Date.now(),
  onHeldBack: () => undefined,
};
const pod = (name: string, more: { metadata?: object; phase?: string } = {}) => ({
  metadata: { namespace: 'default', name, uid: `uid-${name}`, ...more.metadata },
  status: { phase: more.phase ?? 'Running' },
});

test('pods of files, of DaemonSets and ended ones stay', () => {
  const pods = [
    pod('web'),
    pod('static', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }),
    pod('daemon', { metadata: { ownerReferences: [{ kind: 'DaemonSet', controller: true }] } }),
    pod('done', { phase: 'Succeeded' }),
    'hostile',
  ];
  expect(podsToLeave(pods, 0)).toEqual([
    { namespace: 'default', name: 'web', uid: 'uid-web', isEnding: false, tolerations: [] },
  ]);
});

const OTHERS = [{ metadata: { name: 'n' } }, { metadata: { name: 'other' } }];
const CONTROL_PLANE = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const ONLY_CONTROL_PLANES = [
  { metadata: { name: 'n' } },
  { metadata: { name: 'other' }, spec: { taints: [CONTROL_PLANE] } },
];

/** An API server with these pods, each of which may be evicted after as many refusals as it says. */
function serving(refusals: Record<string, number>, nodes: readonly object[] = OTHERS) {
  const there = new Set(Object.keys(refusals));
  const bodies: unknown[] = [];
  const kube: Pick<KubeClient, 'get' | 'create'> = {
    get: async (path) =>
      path === '/api/v1'
        ? { resources: [{ name: 'pods/eviction', version: 'v1' }] }
        : { items: path.startsWith('/api/v1/nodes') ? nodes : [...there].map((name) => pod(name)), metadata: {} },
    create: async (path, body) => {
      bodies.push(body);
      const name = /pods\/([^/]+)\/eviction$/.exec(path)?.[1] ?? '';
      const left = refusals[name] ?? 0;
      refusals[name] = left - 1;
      if (left > 0) throw new KubeError('POST', 429, 'disruption budget', 1);
      there.delete(name);
      return {};
    },
  };
  return { kube: kube as KubeClient, there, bodies };
}

test('a pod that its budget holds back is tried again, told once, and the others leave meanwhile', async () => {
  const { kube, there } = serving({ web: 2, other: 0 });
  const held: string[] = [];
  const onHeldBack = (name: string) => held.push(name);
  await drainNode({ ...DRAINING, kube, onHeldBack }, SIGNAL);
  expect([...there]).toEqual([]);
  expect(held).toEqual(['default/web']);
});

test('a pod that is made again on the same machine is not waited for: it tolerates that the machine is cordoned', async () => {
  let made = 0;
  const kube: Pick<KubeClient, 'get' | 'create'> = {
    get: async (path) =>
      path === '/api/v1'
        ? { resources: [{ name: 'pods/eviction', version: 'v1' }] }
        : { items: [pod('dns', { metadata: { uid: `dns-${made}` } })], metadata: {} },
    create: async () => {
      made += 1;
      return {};
    },
  };
  await drainNode({ ...DRAINING, kube }, SIGNAL);
  expect(made).toBe(1);
});

test('a pod that no other machine takes is not waited for: its budget can never be kept', async () => {
  const { kube, there } = serving({ web: Infinity, other: 0 }, ONLY_CONTROL_PLANES);
  const held: string[] = [];
  const onHeldBack = (name: string, why: string) => held.push(`${name} ${why}`);
  await drainNode({ ...DRAINING, kube, onHeldBack }, SIGNAL);
  expect([...there]).toEqual(['web']);
  expect(held.at(-1)).toBe('default/web no other machine can run it, so it ends with this one');
});

test('a pod is evicted as what it is, and no later one of its name', async () => {
  const { kube, bodies } = serving({ web: 0 });
  await drainNode({ ...DRAINING, kube }, SIGNAL);
  expect(bodies).toEqual([
    {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace: 'default', name: 'web' },
      deleteOptions: { preconditions: { uid: 'uid-web' } },
    },
  ]);
});

test('pods that do not leave in time are named', async () => {
  const { kube } = serving({ web: Infinity });
  await expect(drainNode({ ...DRAINING, kube, begunMs: Date.now(), timeoutMs: 5 }, SIGNAL)).rejects.toThrow(
    /cannot drain the node n: .* default\/web is still there/,
  );
});

test('a drain that is repeated has the rest of its time', async () => {
  const { kube } = serving({ web: Infinity });
  await expect(drainNode({ ...DRAINING, kube, begunMs: Date.now() - 60_000 }, SIGNAL)).rejects.toThrow(
    'after 60 s default/web is still there',
  );
});
